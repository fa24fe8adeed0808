import { use } from 'react';
import { href } from 'react-router';
import { TextLink } from '../ui/text-link.tsx';
import { PublishedPages } from './published-pages.ts';

/** What a person agrees to, with links to the pages `terms` and `privacy`; nothing while neither is published. */
export function TermsNote({ by }: { /** What the person does, as a gerund. */ by: string }) {
  const pages = use(PublishedPages);
  const linkTo = (slug: string) => {
    const page = pages.find((each) => each.slug === slug);
    return (
      page && (
        <TextLink to={href('/pages/:slug', { slug })} target="_blank">
          {page.title}
        </TextLink>
      )
    );
  };
  const [terms, privacy] = [linkTo('terms'), linkTo('privacy')];
  if (terms === undefined && privacy === undefined) return null;
  return (
    <p className="text-muted text-sm">
      {terms !== undefined && (
        <>
          By {by} you agree to the {terms}.{' '}
        </>
      )}
      {privacy !== undefined && <>What is stored about you is under {privacy}.</>}
    </p>
  );
}
