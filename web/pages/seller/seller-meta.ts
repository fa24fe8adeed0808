import { href, type MetaDescriptor } from 'react-router';
import type { PublicSeller } from '#contract/sales/seller-pages.ts';
import { publicMeta, type Site } from '../../metadata/page-meta.ts';
import { sellerFacts } from './shown-seller.ts';

/** The tags of a seller's page. The loader makes them, so that browsers need no code for them. */
export function sellerMeta(seller: PublicSeller, site: Site): MetaDescriptor[] {
  const path = href('/seller/:id', { id: seller._id });
  return [
    ...publicMeta({
      title: seller.name,
      description: `${seller.name} sells pre-owned laptops. ${sellerFacts({ ...seller, checks: null }, site.shop.name).join('. ')}.`,
      path,
      site,
    }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'ProfilePage',
        // Search engines know no ratings of a person, so none is declared.
        mainEntity: {
          '@type': 'Person',
          name: seller.name,
          identifier: seller._id,
          url: `${site.origin}${path}`,
        },
      },
    },
  ];
}
