import { href, type MetaDescriptor } from 'react-router';
import { photoSize } from '#contract/listings/photo-names.ts';
import { currency, formatAmount, plainAmount } from '#contract/platform/money.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { publicMeta, type Site, unlistedMeta } from '../../metadata/page-meta.ts';
import { productJsonLd } from '../../metadata/product-json-ld.ts';
import type { ShownLaptop } from './shown-laptop.ts';

/** The maximum length of the description in characters. Search engines show no more. */
const MAXIMUM_DESCRIPTION = 170;

function shorten(text: string): string {
  return text.length <= MAXIMUM_DESCRIPTION ? text : `${text.slice(0, MAXIMUM_DESCRIPTION - 1).trimEnd()}…`;
}

/** The tags of a laptop's page. The loader makes them, so that browsers need no code for them. */
export function laptopMeta(laptop: ShownLaptop, site: Site): MetaDescriptor[] {
  const { origin } = site;
  const path = laptopUrl(laptop);
  const summary = [laptop.factsLine, `${laptop.condition} condition`, `used ${laptop.use_time}`]
    .filter((part) => part !== '')
    .join(', ');
  const price = laptop.paid ? 'Sold' : formatAmount(laptop.resale_price);
  return [
    ...publicMeta({
      title: laptop.name,
      description: shorten(`${price} for a pre-owned ${laptop.name} in ${laptop.location}: ${summary}.`),
      path,
      site,
      type: 'product',
      image: {
        url: laptop.image,
        size: photoSize(laptop.image),
        alt: `${laptop.name}, photographed by its seller`,
      },
    }),
    { property: 'product:price:amount', content: plainAmount(laptop.resale_price) },
    { property: 'product:price:currency', content: currency.code },
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        ...(laptop.isMeasured && {
          hasDigitalProductPassport: `${origin}${href('/c/:id', { id: laptop._id })}`,
        }),
        ...productJsonLd(laptop, `${origin}${path}`, laptop.words ?? (laptop.factsLine || undefined)),
      },
    },
  ];
}

/** The tags in place of a laptop that is not there. */
export const missingMeta = (site: Site): MetaDescriptor[] => unlistedMeta('Laptop not found', site);
