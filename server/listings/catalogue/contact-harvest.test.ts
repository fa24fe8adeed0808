import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Laptop, listCategory, readLaptop, readViewerStatus } from '#contract/listings/catalogue.ts';
import type { Page } from '#contract/platform/client.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

const SELLERS = 500;
const ACCOUNT_QUOTA = 300;

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop({ limited: true });
  await shop.connection.pool.query(
    `with sellers as (
       insert into users (email, name, is_seller)
       select 'seller-' || n || '@people.example', 'Seller ' || n, true from generate_series(1, $1::integer) n returning id
     )
     insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
       resale_price_cents, posted_time, use_time, mobile_number, condition)
     select 'Dell', sellers.id, 'Latitude', 'Porto', array['/photos/1'], '{}', 90000, 30000, '', '', '+351 912 345 678', 'Good'
       from sellers`,
    [SELLERS],
  );
});
afterAll(() => shop.close());

/** Reads all laptops of a brand, in pages as large as the call allows. */
async function harvest({ client }: Person): Promise<Laptop[]> {
  const laptops: Laptop[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor !== '' && { cursor }) };
    const page: Page<Laptop[]> = await client.page(listCategory, { params: { id: 'Dell' }, query });
    laptops.push(...page.items);
    cursor = page.next;
  }
  return laptops;
}

const withContact = (laptops: readonly Laptop[]) =>
  laptops.filter(({ mobile_number }) => mobile_number !== undefined);

test('a new account sees the contacts of as many sellers as a person can want, and then when to go on', async () => {
  // The specification shows contacts to everybody who is signed in: the address is not confirmed.
  const buyer = await shop.buyer('Bea Buyer', { email_verified: false });
  const laptops = await harvest(buyer);
  expect(laptops).toHaveLength(SELLERS);
  const shown = withContact(laptops);
  expect(shown).toHaveLength(ACCOUNT_QUOTA);
  expect(shown[0]).toMatchObject({ seller_email: expect.stringMatching(/^seller-/) });
  const hidden = laptops.filter(({ mobile_number }) => mobile_number === undefined);
  for (const laptop of hidden) {
    expect(laptop).not.toHaveProperty('seller_email');
    expect(Date.parse(laptop.contact_hidden_until ?? '')).toBeGreaterThan(Date.now());
  }

  // What was shown stays, however often it is read, also on the page of a laptop. Own laptops are never hidden.
  expect(withContact(await harvest(buyer)).map(({ _id }) => _id)).toEqual(shown.map(({ _id }) => _id));
  const read = (_id = '', { client } = buyer) => client.call(readLaptop, { params: { _id } });
  expect(await read(shown[0]?._id)).toHaveProperty('mobile_number');
  const closed = await read(hidden[0]?._id);
  expect(closed).not.toHaveProperty('mobile_number');
  expect(closed).not.toHaveProperty('seller_email');
  expect(closed.contact_hidden_until).toBe(hidden[0]?.contact_hidden_until);
  const part = await buyer.client.call(readViewerStatus, { params: { _id: hidden[0]?._id ?? '' } });
  expect(part).not.toHaveProperty('mobile_number');
  expect(part.contact_hidden_until).toBe(closed.contact_hidden_until);
});

test('accounts of one address that read the same sellers see them all: the address counts a seller once', async () => {
  let seen = 0;
  for (let account = 0; account < 4; account += 1)
    seen += withContact(await harvest(await shop.buyer())).length;
  expect(seen).toBe(4 * ACCOUNT_QUOTA);
});

test('a seller always sees the own contact', async () => {
  const seller = await shop.seller();
  expect(withContact(await harvest(seller))).toHaveLength(ACCOUNT_QUOTA);
  const own = await shop.laptop(seller, { category_Id: 'Dell' });
  const shown = withContact(await harvest(seller));
  expect(shown).toHaveLength(ACCOUNT_QUOTA + 1);
  expect(shown.map(({ _id }) => _id)).toContain(own);
  expect(await seller.client.call(readLaptop, { params: { _id: own } })).toHaveProperty('mobile_number');
});
