import { createContext, use } from 'react';
import { href, Link } from 'react-router';

/** A published page of the shop, such as the terms. */
export interface PublishedPage {
  slug: string;
  title: string;
}

const PublishedPages = createContext<readonly PublishedPage[]>([]);

export const PublishedPagesProvider = PublishedPages.Provider;

/** Links to all published pages; nothing when there is none. */
export function PageLinks() {
  const pages = use(PublishedPages);
  if (pages.length === 0) return null;
  return (
    <nav aria-label="Pages of the shop" className="page-width border-border border-t py-5">
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {pages.map(({ slug, title }) => (
          <li key={slug} className="min-w-0">
            <Link
              to={href('/pages/:slug', { slug })}
              className="inline-block py-1 text-link underline-offset-4 wrap-anywhere hover:underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What a person agrees to, with links to the pages `terms` and `privacy`; nothing while neither is published. */
export function TermsNote({ by }: { /** What the person does, as a gerund. */ by: string }) {
  const pages = use(PublishedPages);
  const linkTo = (slug: string) => {
    const page = pages.find((each) => each.slug === slug);
    return (
      page && (
        <Link to={href('/pages/:slug', { slug })} target="_blank" className="link">
          {page.title}
        </Link>
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
