import { href } from 'react-router';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { productJsonLd } from '../../metadata/product-json-ld.ts';

/** The shop as schema.org Organization and WebSite. */
export function organizationJsonLd({ origin, shop }: { origin: string; shop: PublicShop }) {
  const { name, tagline, since, logo, contact, legal, social } = shop;
  const home = `${origin}${href('/')}`;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': `${home}#organization`,
        name,
        url: home,
        ...(since !== null && { foundingDate: `${since}` }),
        description: `${tagline}, sold by the people who used them.`,
        ...(logo !== null && { logo: `${origin}${shopPicturePath(logo)}` }),
        ...(legal.company !== '' && { legalName: legal.company }),
        ...(legal.vatNumber !== '' && { vatID: legal.vatNumber }),
        ...(contact.email !== '' && { email: contact.email }),
        ...(contact.phone !== '' && { telephone: contact.phone }),
        ...(contact.address !== '' && { address: contact.address }),
        ...(social.length > 0 && { sameAs: social.map(({ url }) => url) }),
      },
      {
        '@type': 'WebSite',
        '@id': `${home}#website`,
        name,
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
