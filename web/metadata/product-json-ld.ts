import type { Laptop } from '#contract/listings/catalogue.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import { currency, plainAmount } from '#contract/platform/money.ts';

/** The fields of a laptop that describe it to search engines. */
export type DescribedLaptop = Pick<
  Laptop,
  | '_id'
  | 'name'
  | 'images'
  | 'category_Id'
  | 'resale_price'
  | 'paid'
  | 'sellers_name'
  | 'delivery'
  | 'ships_from'
>;

const days = (unit: [least: number, most: number]) => ({
  '@type': 'QuantitativeValue',
  minValue: unit[0],
  maxValue: unit[1],
  unitCode: 'DAY',
});

/** Free shipping within a country, as schema.org OfferShippingDetails. The longest times are those of an order's deadlines. */
const shippingDetails = (country: string | undefined) => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: 0, currency: currency.code },
  shippingDestination: { '@type': 'DefinedRegion', addressCountry: country },
  deliveryTime: {
    '@type': 'ShippingDeliveryTime',
    handlingTime: days([0, deadlineDays('to_ship')]),
    transitTime: days([1, deadlineDays('shipped')]),
  },
});

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
      price: plainAmount(laptop.resale_price),
      priceCurrency: currency.code,
      itemCondition: usedCondition,
      availability: laptop.paid ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
      seller: { '@type': 'Person', name: laptop.sellers_name },
      ...(laptop.delivery !== 'meet' && { shippingDetails: shippingDetails(laptop.ships_from) }),
    },
  };
}
