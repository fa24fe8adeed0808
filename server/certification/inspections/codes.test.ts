import { beforeAll, expect, test } from 'vitest';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

/** Gets codes of one laptop until it has the wanted one. */
const codes = {
  'a code that was used': async (newCode: () => Promise<string>) => {
    const code = await newCode();
    await post(code);
    return code;
  },
  'a code that was replaced': async (newCode: () => Promise<string>) => {
    const code = await newCode();
    await newCode();
    return code;
  },
  'an unknown code': async () => '0000-0000-0000',
};

test.each(Object.entries(codes))('%s is refused in words, and nothing is kept', async (_name, choose) => {
  const laptopId = await shop.laptop(seller);
  const code = await choose(async () => {
    const created = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
    return created.code;
  });
  const before = await count();
  const response = await post(code);
  expect(response.status).toBe(422);
  expect(await response.text()).toMatch(/^The code of this report was used already, or has expired/);
  expect(await count()).toBe(before);
});

test('an unknown code is refused before the rest of the report is read', async () => {
  const response = await post(
    '0000-0000-0000',
    'no section, which a report with a valid code is refused for\n',
  );
  expect(await response.text()).toMatch(/^The code of this report was used already, or has expired/);
});

test('a damaged report does not use its code up', async () => {
  const laptopId = await shop.laptop(seller);
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  expect(await (await post(code, 'no section\n')).text()).toMatch(/^The report is damaged/);
  expect((await post(code)).status).toBe(200);
});

test('a code that has expired is refused', async () => {
  const laptopId = await shop.laptop(seller);
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  await shop.connection.pool.query(
    `update measurement_codes set expires_at = now() - interval '1 second' where laptop_id = $1`,
    [laptopId],
  );
  const before = await count();
  expect((await post(code)).status).toBe(422);
  expect(await count()).toBe(before);
});

test('a code is refused when the laptop was sold meanwhile, so that its buyer’s measurement stays', async () => {
  const laptopId = await shop.laptop(seller);
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, laptopId);
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  expect((await post(code)).status).toBe(422);
});

test('a report of another content type is refused with the one that is taken', async () => {
  const response = await fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([response.status, await response.text()]).toEqual([
    415,
    expect.stringContaining('text (text/plain)'),
  ]);
});

test('a report of more than 1.5 MB is refused before it is read', async () => {
  const response = await post('0000-0000-0000', 'x'.repeat(20_000_000)).catch((error: unknown) => error);
  // The server closes the connection while the rest is being sent.
  if (response instanceof Response) expect(response.status).toBe(413);
  else expect(response).toBeInstanceOf(TypeError);
});

const post = (code: string, more = '') =>
  fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: `laptop-report 1\ncode ${code}\nsystem linux\n${more}== end\n`,
  });

/** The number of the seller's measurements. */
async function count(): Promise<number> {
  const { rows } = await shop.connection.pool.query<{ count: number }>(
    `select count(*)::int as count from measurements
      where laptop_id in (select id from laptops where seller_id = $1)`,
    [seller.userId],
  );
  return rows[0]?.count ?? 0;
}
