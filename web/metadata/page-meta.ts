import type { MetaDescriptor } from 'react-router';
import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import picture from './share.jpg?url';

/** The picture of a shared link. */
interface SharedPicture {
  /** Absolute. */
  url: string;
  /** In pixels; absent when unknown. */
  size: { width: number; height: number } | null;
  alt: string;
}

/** The part of a server's context, or of the root's data, that tags state. */
export interface Site {
  /** The public origin, without a trailing slash. */
  origin: string;
  shop: Pick<PublicShop, 'name' | 'tagline' | 'socialPicture'>;
}

interface PublicMeta {
  /** Without the shop's name, which follows; null for the shop itself. */
  title: string | null;
  description: string;
  /** The path of the canonical URL. */
  path: string;
  site: Site;
  /** The Open Graph type; `website` when left out. */
  type?: 'product';
  /** The shop's own picture when left out. */
  image?: SharedPicture;
}

type Matches = readonly [
  { loaderData: { origin: string; settings: { shop: Site['shop'] } } | undefined },
  ...unknown[],
];

/** The site from the `matches` of a route's `meta`; without name and origin when the root loader failed. */
export function siteOf([{ loaderData }]: Matches): Site {
  if (loaderData === undefined) return { origin: '', shop: { name: '', tagline: '', socialPicture: null } };
  return { origin: loaderData.origin, shop: loaderData.settings.shop };
}

/** A title with the shop's name. */
export const titleOf = (title: string, { shop: { name } }: Site): string =>
  name === '' ? title : `${title} · ${name}`;

/** The shop's own picture of a shared link. */
function ownPicture({ origin, shop: { name, socialPicture } }: Site): SharedPicture {
  if (socialPicture === null) {
    return {
      url: `${origin}${picture}`,
      size: { width: 1200, height: 630 },
      alt: 'An open silver laptop on warm paper',
    };
  }
  return { url: `${origin}${shopPicturePath(socialPicture)}`, size: socialPicture, alt: name };
}

/** The title, description, canonical URL and Open Graph tags of a public page. */
export function publicMeta({
  title: given,
  description,
  path,
  site,
  type,
  image = ownPicture(site),
}: PublicMeta): MetaDescriptor[] {
  const { origin, shop } = site;
  const title = given === null ? `${shop.name} · ${shop.tagline}` : titleOf(given, site);
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
    { property: 'og:type', content: type ?? 'website' },
    { property: 'og:site_name', content: shop.name },
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
export const unlistedMeta = (title: string, site: Site): MetaDescriptor[] => [
  { title: titleOf(title, site) },
  { name: 'robots', content: 'noindex' },
];

/** Makes the same of a page by its matches. */
export const privateMeta =
  (title: string) =>
  ({ matches }: { matches: Matches }): MetaDescriptor[] =>
    unlistedMeta(title, siteOf(matches));
