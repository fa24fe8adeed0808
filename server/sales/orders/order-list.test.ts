import { beforeAll, expect, test } from 'vitest';
import { listReceipts } from '#contract/money/accounting.ts';
import { listOrders } from '#contract/sales/orders.ts';
import { shipParcel } from '#contract/sales/shipping.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: SharedShop;
let admin: Person;
let buyer: Person;
let first: Sale;
let second: Sale;
beforeAll(async () => {
  shop = await sharedShop();
  [admin, buyer] = [await shop.admin(), await shop.buyer('Quentin Ångström')];
  const seller = await shop.seller('Zoe Vendelbo');
  first = await sellLaptop(shop, { seller, buyer });
  second = await sellLaptop(shop, { seller, buyer, address: sampleAddress });
});

const find = async (search: string) =>
  (await admin.client.call(listOrders, { query: { search } })).map(({ _id }) => _id);

test('an admin finds orders by a part of a name or an email address, newest first', async () => {
  for (const search of ['quentin å', 'VENDELBO', buyer.email, buyer.email.slice(0, 8)]) {
    expect(await find(search), search).toEqual([second.orderId, first.orderId]);
  }
  expect(await find('Nobody Here')).toEqual([]);
});

test('a search that too many people match is refused, and says what to do', async () => {
  await shop.connection.pool.query(
    `insert into users (name, email, is_buyer) select 'Crowd', format('crowd%s@people.example', n), true from generate_series(1, 51) n`,
  );
  await expect(find('crowd')).rejects.toMatchObject({
    status: 422,
    errors: { search: expect.stringContaining('More than 50 people match') },
  });
});

test('pages of a search continue where the one before it has ended', async () => {
  const query = { search: 'Vendelbo', limit: 1 };
  const page = await admin.client.page(listOrders, { query });
  const next = await admin.client.page(listOrders, { query: { ...query, cursor: page.next ?? '' } });
  expect([page, next].map(({ items }) => items.map(({ _id }) => _id))).toEqual([
    [second.orderId],
    [first.orderId],
  ]);
  expect(next.next).toBeNull();
});

test('an admin finds an order by each of its numbers', async () => {
  await second.seller.client.call(shipParcel, {
    params: { _id: second.orderId },
    body: { carrier: 'Example Post', trackingNumber: 'EP123456789' },
  });
  const receipts = await buyer.client.call(listReceipts, { query: {} });
  const numbers = await shop.connection.database
    .selectFrom('receipts')
    .select('receipt_number')
    .where('order_id', '=', first.orderId)
    .execute();
  expect(receipts.map(({ number }) => number)).toContain(numbers[0]?.receipt_number);
  for (const typed of ['ep 123 456 789', 'EP-123-456-789'])
    expect(await find(typed)).toEqual([second.orderId]);
  expect(await find(numbers[0]?.receipt_number ?? '')).toEqual([first.orderId]);
  expect(await find(first.orderId.toUpperCase())).toEqual([first.orderId]);
  expect(await find(second.transactionId)).toEqual([second.orderId]);
});

test('the list says what each order is', async () => {
  const [newest] = await admin.client.call(listOrders, { query: { limit: 1 } });
  expect(newest).toMatchObject({
    _id: second.orderId,
    productName: 'EliteBook 840 G8',
    buyerName: 'Quentin Ångström',
    sellerName: 'Zoe Vendelbo',
    price: 549.99,
    state: 'shipped',
  });
  await expect(buyer.client.call(listOrders, { query: {} })).rejects.toMatchObject({ status: 403 });
});
