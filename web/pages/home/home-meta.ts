import { href, type MetaDescriptor } from 'react-router';
import type { Laptop } from '#contract/listings/catalogue.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { publicMeta, type Site } from '../../metadata/page-meta.ts';
import { offersJsonLd, organizationJsonLd } from './structured-data.ts';

/** The tags of the page. The loader makes them, so that browsers need no code for them. */
export function homeMeta(site: Site & { shop: PublicShop }, advertised: Laptop[]): MetaDescriptor[] {
  return [
    ...publicMeta({
      title: null,
      description:
        'Buy and sell certified pre-owned laptops: real photos, the facts of each machine, and a seller you can call.',
      path: href('/'),
      site,
    }),
    { 'script:ld+json': organizationJsonLd(site) },
    ...(advertised.length > 0 ? [{ 'script:ld+json': offersJsonLd(site.origin, advertised) }] : []),
  ];
}
