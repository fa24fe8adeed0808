import { expect, test } from 'vitest';
import type { Laptop } from '#contract/catalogue.ts';
import { createClient } from '#contract/client.ts';
import { findForSale } from './find-for-sale.ts';

const laptop = (_id: string): Laptop => ({
  _id,
  category_Id: 'HP',
  name: `Laptop ${_id}`,
  location: 'Lisbon',
  image: '/photos/a',
  images: ['/photos/a'],
  description: 'One scratch',
  original_price: 1299,
  resale_price: 549.99,
  posted_time: '11/20/2026, 9:30:00 AM',
  sellers_name: 'Nadia',
  use_time: '2 years',
  condition: 'Good',
  paid: false,
  sellerVerified: true,
  advertisement: false,
});

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** A shop with one advertised laptop and a brand of three pages, a laptop each. */
function shopOfThreePages() {
  const asked: string[] = [];
  const client = createClient({
    base: '/api',
    token: () => null,
    fetch: async (url) => {
      asked.push(url);
      const { pathname, searchParams } = new URL(url, 'http://shop');
      if (pathname === '/api/advertisement') return Response.json([laptop(id(9))]);
      const page = Number(searchParams.get('cursor') ?? 1);
      const headers = { link: `</api/category/HP?cursor=${page + 1}>; rel="next"` };
      return Response.json([laptop(id(page))], page < 3 ? { headers } : {});
    },
  });
  return { asked, client };
}

test.each([
  ['advertised, whatever page of its brand it stands on', 9, 1],
  ['on the first page', 1, 2],
  ['on the last page', 3, 4],
])('a laptop is found that is %s', async (_where, number, calls) => {
  const { asked, client } = shopOfThreePages();
  const wanted = { brandId: 'HP', laptopId: id(number) };
  expect(await findForSale(client, wanted, AbortSignal.timeout(5_000))).toMatchObject({ _id: id(number) });
  expect(asked).toHaveLength(calls);
});

test('of one that is on no page it is known after the last', async () => {
  const { asked, client } = shopOfThreePages();
  const wanted = { brandId: 'HP', laptopId: id(7) };
  expect(await findForSale(client, wanted, AbortSignal.timeout(5_000))).toBeNull();
  expect(asked).toHaveLength(4);
});
