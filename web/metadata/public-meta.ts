import type { MetaDescriptor } from 'react-router';
import picture from './share.jpg?url';

interface PublicMeta {
  title: string;
  description: string;
  /** The one address under which the page should be known. */
  path: string;
  /** The `matches` of a route's `meta`, from which the shop's origin is read. */
  matches: readonly unknown[];
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

/** The shop's origin, without a trailing slash, from the `matches` of a route's `meta`. */
export function originOf(matches: readonly unknown[]): string {
  const root = matches.find((match) => member(match, 'id') === 'root');
  const origin = member(member(root, 'loaderData'), 'origin');
  return typeof origin === 'string' ? origin : '';
}

/** Title, description, canonical address and Open Graph of a public page. */
export function publicMeta({ title, description, path, matches }: PublicMeta): MetaDescriptor[] {
  const origin = originOf(matches);
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Coomercio' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${origin}${path}` },
    { property: 'og:image', content: `${origin}${picture}` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: 'An open silver laptop on warm paper' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
