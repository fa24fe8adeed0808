import type { MetaDescriptor } from 'react-router';
import picture from './share.jpg?url';

interface PublicMeta {
  title: string;
  description: string;
  /** The path of the canonical URL. */
  path: string;
  /** The public origin, without a trailing slash. */
  origin: string;
}

/** The public origin from the `matches` of a route's `meta`; empty when the root loader failed. */
export function originOf([root]: readonly [
  { loaderData: { origin: string } | undefined },
  ...unknown[],
]): string {
  return root.loaderData?.origin ?? '';
}

/** The title, description, canonical URL and Open Graph tags of a public page. */
export function publicMeta({ title, description, path, origin }: PublicMeta): MetaDescriptor[] {
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

/** The title of a page that search engines must not index. */
export function privateMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} · Coomercio` }, { name: 'robots', content: 'noindex' }];
}
