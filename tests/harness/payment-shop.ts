import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { deleteOwnLaptop } from '#contract/catalogue.ts';
import { listAuditTrail } from '#contract/moderation.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { untilQueueIsEmpty } from '#tests/harness/job-queue.ts';
import { type Person, startTestShop } from './shop.ts';

/** A day after which also what was done is asked about again. */
export const aDayLater = () => new Date(Date.now() + 25 * 3_600_000);
export const anHourLater = () => new Date(Date.now() + 3_600_000);

/** Events of the card processor wait until they are delivered by hand. */
export const held = { webhooks: { mode: 'hold' } } as const;

/** What the letters about a refund are called. */
export const letters = {
  back: 'Your money for EliteBook 840 G8 is on its way back',
  failed: 'Your refund for EliteBook 840 G8 has failed',
  toAdmin: 'A refund has failed: EliteBook 840 G8',
} as const;

/** A shop with two living admins and one whose account has ended, and what a test of its money needs. */
async function startMoneyShop() {
  const shop = await startTestShop();
  const seller = await shop.seller();
  const admins = [await shop.admin(), await shop.admin(), await shop.admin()] as const;
  const { pool } = shop.connection;
  await pool.query('update users set ended_at = now() where id = $1', [admins[2].userId]);

  /** A buyer whose card was charged; the shop does not know it yet, and events are held. */
  async function charged(card: string) {
    const buyer = await shop.buyer();
    const laptop = await shop.laptop(seller);
    const bookingId = await shop.booking(buyer, laptop);
    await shop.cards.faults(held);
    const body = { price: 549.99, bookingId };
    const { clientSecret } = await buyer.client.call(createPaymentIntent, { body });
    const { transactionId } = await shop.pay(clientSecret, card);
    const report = () => buyer.client.call(recordPayment, { body: { ...body, transactionId } });
    return { buyer, laptop, bookingId, transactionId, report };
  }

  return {
    shop,
    admins,
    charged,
    /** Every job is done, also those that failed at first. */
    settled: () => untilQueueIsEmpty(pool),
    /**
     * The same for a laptop that left the shop meanwhile, so that the money must go back.
     * @param between what happens before the shop hears of the money
     */
    owed: async (card: string, between: () => Promise<unknown> = async () => undefined) => {
      const about = await charged(card);
      await seller.client.call(deleteOwnLaptop, { params: { _id: about.laptop } });
      await between();
      await expect(about.report()).rejects.toMatchObject({ code: 'refunded' });
      return about;
    },
    /** What the shop has in its books of a refund. */
    refundOf: async (transactionId: string) => {
      const { rows } = await pool.query(
        'select state, attempt, card_refund_id, failure_reason from refunds where transaction_id = $1',
        [transactionId],
      );
      return rows[0];
    },
    /** How the card processor has a payment's refunds, the oldest first. */
    atProcessor: async (transactionId: string): Promise<string[]> => {
      const { data } = await shop.cards.stripe.refunds.list({ payment_intent: transactionId });
      return data.map(({ status }) => status ?? '').reverse();
    },
    subjectsTo: ({ email }: Person): string[] =>
      shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject),
    /** The audit trail about a payment, the oldest first. */
    trail: async (transactionId: string) => {
      const entries = await admins[0].client.call(listAuditTrail, { query: {} });
      return entries
        .filter(({ subject }) => subject.includes(transactionId))
        .map(({ act, adminName, note }) => [act, adminName, note])
        .reverse();
    },
  };
}

export type MoneyShop = Awaited<ReturnType<typeof startMoneyShop>>;

/**
 * Starts a money shop for the tests of a file. Each of them begins without letters and leaves no fault behind.
 * @param assign takes the shop before the first test
 */
export function moneyShopForTests(assign: (money: MoneyShop) => void): void {
  let money: MoneyShop;
  beforeAll(async () => {
    money = await startMoneyShop();
    assign(money);
  });
  beforeEach(() => {
    money.shop.mails.length = 0;
  });
  afterEach(() => money.shop.cards.faults({}));
  afterAll(() => money.shop.close());
}
