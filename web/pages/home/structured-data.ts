import { href } from 'react-router';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { productJsonLd } from '../../metadata/product-json-ld.ts';

/** The shop as schema.org Organization and WebSite. @param origin without a trailing slash */
export function organizationJsonLd(origin: string) {
  const home = `${origin}${href('/')}`;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': `${home}#organization`,
        name: 'Coomercio',
        url: home,
        foundingDate: '2018',
        description: 'A shop for certified pre-owned laptops, sold by the people who used them.',
      },
      {
        '@type': 'WebSite',
        '@id': `${home}#website`,
        name: 'Coomercio',
        url: home,
        inLanguage: 'en',
        publisher: { '@id': `${home}#organization` },
      },
    ],
  };
}

function descriptionOf({ description }: Laptop): string | undefined {
  if (typeof description === 'string') return description;
  const { Notes, Processor, Memory, Storage } = description;
  const facts = [Processor, Memory, Storage].filter((fact) => fact !== undefined);
  return Notes ?? (facts.length > 0 ? facts.join(', ') : undefined);
}

/** The advertised laptops as a schema.org ItemList of used products. */
export function offersJsonLd(origin: string, laptops: Laptop[]) {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name: 'Advertise Laptops',
    numberOfItems: laptops.length,
    itemListElement: laptops.map((laptop, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: productJsonLd(laptop, `${origin}${laptopUrl(laptop)}`, descriptionOf(laptop)),
    })),
  };
}
