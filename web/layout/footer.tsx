import type { ReactNode } from 'react';
import { href, Link, type LinkProps } from 'react-router';
import { PageLinks } from '../content/published-pages.tsx';
import { BrandMark } from './brand-mark.tsx';
import { useSellLink } from './use-sell-link.ts';

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="font-sans font-semibold text-base tracking-normal">{title}</h2>
      <ul className="mt-3 flex flex-col gap-1">{children}</ul>
    </div>
  );
}

function Item(props: LinkProps) {
  return (
    <li>
      <Link {...props} className="inline-block py-1 text-link underline-offset-4 hover:underline" />
    </li>
  );
}

/** An entry without a link. */
function PlainItem({ children }: { children: ReactNode }) {
  return <li className="py-1 text-muted">{children}</li>;
}

export function Footer() {
  return (
    <footer className="mt-16 border-border border-t bg-subtle">
      <div className="page-width grid gap-10 py-12 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="sm:col-span-3 lg:col-span-1">
          <BrandMark />
          <p className="mt-3 max-w-xs text-muted">
            Certified pre-owned laptops, shown as they are, since 2018. Handed over in person, or shipped for
            free.
          </p>
        </div>
        <Column title="Quick Links">
          <Item to={href('/')}>Home</Item>
          <Item to={href('/laptops')}>Laptops</Item>
          <Item to={href('/blog')}>Blog</Item>
          <Item to={href('/dashboard')}>Dashboard</Item>
        </Column>
        <Column title="Company">
          <Item to={href('/how-it-works')}>How it works</Item>
          <Item to={`${href('/')}#why`}>Why pre-owned</Item>
          <Item to={useSellLink()}>Sell with us</Item>
          <PlainItem>Founded in 2018</PlainItem>
        </Column>
        <Column title="Social">
          <PlainItem>We are not on social networks.</PlainItem>
        </Column>
      </div>
      <PageLinks />
      <ul className="page-width pb-5">
        <Item to="/api/docs" reloadDocument>
          For developers
        </Item>
      </ul>
    </footer>
  );
}
