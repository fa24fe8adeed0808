import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

test('retries a job whose process was killed: its heartbeat stops', async () => {
  const { pool } = shop.connection;
  const buyer = await shop.buyer();
  await shop.booking(buyer, await shop.laptop(seller));
  const countSellerEmails = () => shop.mails.filter(({ to }) => to === seller.email).length;
  await expect.poll(countSellerEmails).toBe(1);

  // The state that a killed process leaves before it has told anybody: active, with a recent heartbeat.
  await pool.query('delete from notifications where user_id = $1', [seller.userId]);
  const { rows } = await pool.query(
    `update pgboss.job
     set state = 'active', completed_on = null, started_on = now(), heartbeat_on = now() - interval '9 seconds'
     where data->>'type' = 'bookings.booking-made' returning heartbeat_seconds`,
  );
  // A missing heartbeat is noticed at the next check after this time; checks are ten seconds apart.
  expect(rows).toEqual([{ heartbeat_seconds: 10 }]);

  await expect.poll(countSellerEmails, { timeout: 110_000, interval: 200 }).toBe(2);
});
