import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Person, startTestShop } from '../operations/shop.ts';

/** Returns a time after which completed refunds are checked again. */
export const inOneDay = () => new Date(Date.now() + 25 * 3_600_000);
export const inOneHour = () => new Date(Date.now() + 3_600_000);

/** A fault plan in which webhook events wait until a test delivers them. */
export const heldWebhooks = { webhooks: { mode: 'hold' } } as const;

/** Subjects of the emails about a refund. */
export const refundSubjects = {
  sent: 'Your money for EliteBook 840 G8 is on its way back',
  failed: 'Your refund for EliteBook 840 G8 has failed',
  toAdmin: 'A refund has failed: EliteBook 840 G8',
} as const;

/** Starts a shop with two active admins and one whose account has ended. */
async function startPaymentShop() {
  const shop = await startTestShop();
  const seller = await shop.seller();
  // Refunds of settled charges need a balance, which operators keep at Stripe.
  await shop.cards.topUp(1_000_000);
  const admins = [await shop.admin(), await shop.admin(), await shop.admin()] as const;
  const { pool } = shop.connection;
  await pool.query('update users set ended_at = now() where id = $1', [admins[2].userId]);

  /** Charges a buyer's card for a booked laptop. Events are held, so the shop does not know of the charge yet. */
  async function chargeBuyer(card: string) {
    const buyer = await shop.buyer();
    const laptop = await shop.laptop(seller);
    const bookingId = await shop.booking(buyer, laptop);
    await shop.cards.setFaults(heldWebhooks);
    const body = { price: 549.99, bookingId };
    const { clientSecret } = await buyer.client.call(createPaymentIntent, { body });
    const { transactionId } = await shop.pay(clientSecret, card);
    const report = () => buyer.client.call(recordPayment, { body: { ...body, transactionId } });
    return { buyer, seller, laptop, bookingId, transactionId, report };
  }

  return {
    shop,
    admins,
    chargeBuyer,
    /** Waits until every job is done, retries included. */
    waitForJobs: () => waitForEmptyQueue(pool),
    /**
     * Charges a buyer for a laptop that is then removed from the shop, so that the payment must be refunded.
     * @param afterCharge runs before the shop can learn of the charge: from the buyer's report, or from the card processor, which
     *   it asks about the payments of a removed laptop
     */
    chargeForRemovedLaptop: async (
      card: string,
      afterCharge: () => Promise<unknown> = async () => undefined,
    ) => {
      const charge = await chargeBuyer(card);
      await afterCharge();
      await seller.client.call(deleteOwnLaptop, { params: { _id: charge.laptop } });
      await expect(charge.report()).rejects.toMatchObject({ code: 'refunded' });
      return charge;
    },
    /** Reads the shop's row of a refund. */
    readRefund: async (transactionId: string) => {
      const { rows } = await pool.query(
        'select state, attempt, card_refund_id, failure_reason from refunds where transaction_id = $1',
        [transactionId],
      );
      return rows[0];
    },
    /** Lists the statuses of a payment's refunds at the card processor, oldest first. */
    refundStatuses: async (transactionId: string): Promise<string[]> => {
      const { data } = await shop.cards.stripe.refunds.list({ payment_intent: transactionId });
      return data.map(({ status }) => status ?? '').reverse();
    },
    emailSubjectsTo: ({ email }: Person): string[] =>
      shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject),
    /** Lists a payment's audit entries, oldest first. */
    readAuditTrail: async (transactionId: string) => {
      const entries = await admins[0].client.call(listAuditTrail, { query: {} });
      return entries
        .filter(({ subject }) => subject.includes(transactionId))
        .map(({ act, adminName, note }) => [act, adminName, note])
        .reverse();
    },
  };
}

export type PaymentShop = Awaited<ReturnType<typeof startPaymentShop>>;

/**
 * Starts a payment shop for the tests of a file. Emails and faults are reset for each test.
 * @param assign receives the shop before the first test
 */
export function setUpPaymentShop(assign: (paymentShop: PaymentShop) => void): void {
  let paymentShop: PaymentShop;
  beforeAll(async () => {
    paymentShop = await startPaymentShop();
    assign(paymentShop);
  });
  beforeEach(() => {
    paymentShop.shop.mails.length = 0;
  });
  afterEach(() => paymentShop.shop.cards.setFaults({}));
  afterAll(() => paymentShop.shop.close());
}
