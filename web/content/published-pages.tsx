import { createContext, use } from 'react';
import { href, Link } from 'react-router';

/** A published page of the shop, such as the terms. */
export interface PublishedPage {
  slug: string;
  title: string;
}

export const PublishedPages = createContext<readonly PublishedPage[]>([]);

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
