import { expect, test } from 'vitest';
import { readBooking } from '#contract/sales/bookings.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import { type PaymentShop, setUpPaymentShop } from '#tests/harness/sales/payment-shop.ts';

const GOOD_CARD = '4242424242424242';

let paymentShop: PaymentShop;
let shop: TestShop;

setUpPaymentShop((started) => {
  paymentShop = started;
  shop = started.shop;
});

const warned = 'A payment may be fraudulent: EliteBook 840 G8';
const told = () =>
  paymentShop.admins.map((admin) =>
    paymentShop.emailSubjectsTo(admin).filter((subject) => subject === warned),
  );

async function warn(transactionId: string, copies = 2): Promise<void> {
  const { latest_charge } = await shop.cards.stripe.paymentIntents.retrieve(transactionId);
  await shop.cards.changeCharge(String(latest_charge), { earlyFraudWarning: 'made_with_stolen_card' });
  await shop.cards.deliverEvents({ copies });
  await paymentShop.waitForJobs();
}

const letter = () => shop.mails.find(({ subject }) => subject === warned)?.text ?? '';

test('a warning before the hand-over reaches the admins and the audit trail once, and moves nothing', async () => {
  const sale = await paymentShop.chargeBuyer(GOOD_CARD);
  await sale.report();
  await warn(sale.transactionId);
  expect(told()).toEqual([[warned], [warned], []]);
  expect(letter()).toContain('Ask the seller not to hand the laptop over');
  expect(letter()).toContain('made with stolen card');
  expect(await paymentShop.readAuditTrail(sale.transactionId)).toEqual([
    ['Fraud warning', 'Card processor', 'made with stolen card'],
  ]);
  const booking = await sale.buyer.client.call(readBooking, { params: { _id: sale.bookingId } });
  expect(booking).toMatchObject({ state: 'Paid' });
  expect(await shop.cards.refundedCents(sale.transactionId)).toBe(0);
});

test('after the hand-over the advice is another one', { tags: 'long' }, async () => {
  const sale = await paymentShop.chargeBuyer(GOOD_CARD);
  await sale.report();
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    'select id from orders where booking_id = $1',
    [sale.bookingId],
  );
  await sale.buyer.client.call(confirmOrder, { params: { _id: rows[0]?.id ?? '' } });
  await warn(sale.transactionId);
  expect(letter()).toContain('has probably been handed over');
});

test('a warning about a payment that was refunded is in the audit trail only; one of another program is ignored', {
  tags: 'long',
}, async () => {
  const refunded = await paymentShop.chargeForRemovedLaptop(GOOD_CARD);
  await paymentShop.waitForJobs();
  shop.mails.length = 0;
  await warn(refunded.transactionId);
  expect(told()).toEqual([[], [], []]);
  expect(await paymentShop.readAuditTrail(refunded.transactionId)).toContainEqual([
    'Fraud warning',
    'Card processor',
    'made with stolen card; refunded or disputed already',
  ]);
  const foreign = await shop.cards.stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  await warn(foreign.id);
  expect(told()).toEqual([[], [], []]);
});
