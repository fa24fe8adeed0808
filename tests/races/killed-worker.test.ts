import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

test('retries a job within half a minute after its process was killed', async () => {
  const { pool } = shop.connection;
  const buyer = await shop.buyer();
  await shop.booking(buyer, await shop.laptop(seller));
  const countSellerEmails = () => shop.mails.filter(({ to }) => to === seller.email).length;
  await expect.poll(countSellerEmails).toBe(1);

  // The state that a killed process leaves before it has told anybody: active, with a recent heartbeat.
  await pool.query('delete from notifications where user_id = $1', [seller.userId]);
  const { rowCount } = await pool.query(
    `update pgboss.job
     set state = 'active', completed_on = null, started_on = now(), heartbeat_on = now() - interval '5 seconds'
     where name = 'bookings.booking-made'`,
  );
  expect(rowCount).toBe(1);

  await expect.poll(countSellerEmails, { timeout: 30_000, interval: 200 }).toBe(2);
}, 45_000);
