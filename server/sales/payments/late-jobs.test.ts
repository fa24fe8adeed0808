// Jobs that run late, because a mail server or the card processor was away, tell and do what is right by then.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { relistLaptop } from '#contract/listings/catalogue.ts';
import { cancelBooking } from '#contract/sales/bookings.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import type { Job } from '#server/platform/jobs/queue.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { DISPUTED_CARD, disputeSales } from '#tests/harness/sales/disputed-sale.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { bookingMade } from '../bookings/notifications.ts';
import { paid, refundFailed } from './notifications.ts';
import { closeLaptopAttempts } from './steps.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);
/** Runs a job at this moment, as if it had waited since. @returns the subjects of the emails that it sends to a person */
async function runLate<Data extends object>(person: Person, job: Job<Data>, data: Data): Promise<string[]> {
  await waitForJobs();
  shop.mails.splice(0);
  await shop.connection.database.transaction().execute((transaction) => shop.enqueue(transaction, job, data));
  await waitForJobs();
  return shop.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject);
}
const cancel = ({ seller, orderId }: Sale) =>
  seller.client.call(cancelSale, { params: { _id: orderId }, body: { text: 'It fell down.' } });

test('nobody is told that a laptop is sold once its price went back, and no seller to hand it over while a bank disputes it', async () => {
  const sale = await sellLaptop(shop);
  const { buyer, seller, orderId } = sale;
  expect(await runLate(seller, paid, { orderId })).toEqual(['EliteBook 840 G8 is sold']);
  await cancel(sale);
  expect(await runLate(seller, paid, { orderId })).toEqual([]);
  expect(await runLate(buyer, paid, { orderId })).toEqual([]);

  const disputed = await sellLaptop(shop, { card: DISPUTED_CARD });
  await disputeSales(shop);
  expect(await runLate(disputed.seller, paid, { orderId: disputed.orderId })).toEqual([]);
  // The email is a receipt, too.
  expect(await runLate(disputed.buyer, paid, { orderId: disputed.orderId })).toHaveLength(1);

  const handedOver = await sellLaptop(shop);
  await handedOver.buyer.client.call(confirmOrder, { params: { _id: handedOver.orderId } });
  expect(await runLate(handedOver.seller, paid, { orderId: handedOver.orderId })).toEqual([]);
  expect(await runLate(handedOver.buyer, paid, { orderId: handedOver.orderId })).toHaveLength(1);
});

test('no seller is told of a booking that was cancelled since', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  expect(await runLate(seller, bookingMade, { bookingId })).toHaveLength(1);
  await buyer.client.call(cancelBooking, { params: { _id: bookingId } });
  expect(await runLate(seller, bookingMade, { bookingId })).toEqual([]);
});

test('nobody is told of a failed refund that was made since', async () => {
  const sale = await sellLaptop(shop);
  await cancel(sale);
  await waitForJobs();
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    'select id from refunds where transaction_id = $1',
    [sale.transactionId],
  );
  const data = { refundId: rows[0]?.id ?? '', failureReason: 'declined' };
  expect(await runLate(sale.buyer, refundFailed, data)).toEqual([]);
});

test('the attempts that a sale closes are not those of a buyer who pays once the laptop is for sale again', async () => {
  const sale = await sellLaptop(shop);
  const { seller, laptopId } = sale;
  await cancel(sale);
  await waitForJobs();
  await seller.client.call(relistLaptop, { params: { _id: laptopId }, body: { posted_time: '' } });
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, laptopId);
  const prepare = () => buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
  const { clientSecret } = await prepare();
  await runLate(buyer, closeLaptopAttempts, { laptopId });
  expect((await prepare()).clientSecret).toBe(clientSecret);
});
