import { href } from 'react-router';
import type { Laptop } from '#contract/catalogue.ts';

/** The id of a laptop's card on the home page, the only public page that shows laptops. */
export function laptopAnchor(laptop: Pick<Laptop, '_id'>): string {
  return `laptop-${laptop._id}`;
}

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
  const home = `${origin}${href('/')}`;
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name: 'Advertise Laptops',
    numberOfItems: laptops.length,
    itemListElement: laptops.map((laptop, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        '@type': 'Product',
        name: laptop.name,
        url: `${home}#${laptopAnchor(laptop)}`,
        image: laptop.image,
        description: descriptionOf(laptop),
        brand: { '@type': 'Brand', name: laptop.category_Id },
        itemCondition: 'https://schema.org/UsedCondition',
        offers: {
          '@type': 'Offer',
          url: `${home}#${laptopAnchor(laptop)}`,
          price: laptop.resale_price.toFixed(2),
          priceCurrency: 'USD',
          itemCondition: 'https://schema.org/UsedCondition',
          availability: laptop.paid ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
          seller: { '@type': 'Person', name: laptop.sellers_name },
        },
      },
    })),
  };
}
