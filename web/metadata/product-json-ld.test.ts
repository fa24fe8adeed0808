import { afterEach, expect, test } from 'vitest';
import { deadlines, setDeadlines } from '#contract/platform/deadlines.ts';
import { productJsonLd } from './product-json-ld.ts';

const before = { ...deadlines };
afterEach(() => setDeadlines(before));

test('search engines read the longest times of this shop’s orders', () => {
  const laptop = {
    ...{ _id: 'laptop', name: 'EliteBook', images: ['/photos/a'], category_Id: 'HP', resale_price: 549.99 },
    ...{ paid: false, sellers_name: 'Sam Seller', delivery: 'ship' as const, ships_from: 'US' },
  };
  const timesOf = () => {
    const { shippingDetails } = productJsonLd(laptop, 'https://shop/laptop', undefined).offers;
    const { handlingTime, transitTime } = shippingDetails?.deliveryTime ?? {};
    return [handlingTime?.maxValue, transitTime?.maxValue];
  };
  expect(timesOf()).toEqual([5, 14]);
  setDeadlines({ ...before, sending: 12 });
  expect(timesOf()).toEqual([12, 14]);
});
