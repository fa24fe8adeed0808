import { href, type MetaDescriptor } from 'react-router';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { publicMeta } from '../../metadata/page-meta.ts';
import { offersJsonLd, organizationJsonLd } from './structured-data.ts';

/** The tags of the page. The loader makes them, so that browsers need no code for them. */
export function homeMeta(origin: string, advertised: Laptop[]): MetaDescriptor[] {
  return [
    ...publicMeta({
      title: 'Coomercio · Certified pre-owned laptops',
      description:
        'Buy and sell certified pre-owned laptops: real photos, the facts of each machine, and a seller you can call.',
      path: href('/'),
      origin,
    }),
    { 'script:ld+json': organizationJsonLd(origin) },
    ...(advertised.length > 0 ? [{ 'script:ld+json': offersJsonLd(origin, advertised) }] : []),
  ];
}
