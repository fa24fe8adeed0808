import type { MetaDescriptor } from 'react-router';
import picture from './share.jpg?url';

/** The picture of a shared link. */
interface SharedPicture {
  /** Absolute. */
  url: string;
  /** In pixels; absent when unknown. */
  size: { width: number; height: number } | null;
  alt: string;
}

interface PublicMeta {
  title: string;
  description: string;
  /** The path of the canonical URL. */
  path: string;
  /** The public origin, without a trailing slash. */
  origin: string;
  /** The Open Graph type; `website` when left out. */
  type?: 'product';
  /** The shop's own picture when left out. */
  image?: SharedPicture;
}

/** The public origin from the `matches` of a route's `meta`; empty when the root loader failed. */
export function originOf([root]: readonly [
  { loaderData: { origin: string } | undefined },
  ...unknown[],
]): string {
  return root.loaderData?.origin ?? '';
}

/** The title, description, canonical URL and Open Graph tags of a public page. */
export function publicMeta({
  title,
  description,
  path,
  origin,
  type,
  image = {
    url: `${origin}${picture}`,
    size: { width: 1200, height: 630 },
    alt: 'An open silver laptop on warm paper',
  },
}: PublicMeta): MetaDescriptor[] {
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
    { property: 'og:type', content: type ?? 'website' },
    { property: 'og:site_name', content: 'Coomercio' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${origin}${path}` },
    { property: 'og:image', content: image.url },
    ...(image.size === null
      ? []
      : [
          { property: 'og:image:width', content: `${image.size.width}` },
          { property: 'og:image:height', content: `${image.size.height}` },
        ]),
    { property: 'og:image:alt', content: image.alt },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}

/** The title of a page that search engines must not index. */
export function privateMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} · Coomercio` }, { name: 'robots', content: 'noindex' }];
}
