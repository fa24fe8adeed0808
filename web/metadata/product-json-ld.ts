import type { Laptop } from '#contract/listings/catalogue.ts';
import { currency } from '#contract/platform/money.ts';

/** The fields of a laptop that describe it to search engines. */
export type DescribedLaptop = Pick<
  Laptop,
  '_id' | 'name' | 'images' | 'category_Id' | 'resale_price' | 'paid' | 'sellers_name'
>;

/**
 * A laptop as a schema.org Product with its Offer.
 * @param url the absolute URL of its page
 * @param description plain text; left out when there is none
 */
export function productJsonLd(laptop: DescribedLaptop, url: string, description: string | undefined) {
  const usedCondition = 'https://schema.org/UsedCondition';
  return {
    '@type': 'Product',
    name: laptop.name,
    url,
    sku: laptop._id,
    image: laptop.images,
    description,
    brand: { '@type': 'Brand', name: laptop.category_Id },
    itemCondition: usedCondition,
    offers: {
      '@type': 'Offer',
      url,
      price: laptop.resale_price.toFixed(2),
      priceCurrency: currency.code,
      itemCondition: usedCondition,
      availability: laptop.paid ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
      seller: { '@type': 'Person', name: laptop.sellers_name },
    },
  };
}
