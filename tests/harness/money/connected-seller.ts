import type Stripe from 'stripe';
import { expect, vi } from 'vitest';
import { readPayoutAccount, refreshPayoutAccount, startOnboarding } from '#contract/money/payouts.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { moveOrder, selectOrderForUpdate } from '#server/sales/orders/steps.ts';
import type { Person, SharedShop } from '../operations/shop.ts';
import { type Sale, sellLaptop } from '../sales/sold-laptop.ts';

/** The commission of these tests. Of a laptop at $549.99, $522.00 are the seller's. */
export const commission = { basisPoints: 500, fixedCents: 50 };

/** A seller's account at the card processor; empty without one. */
export async function accountIdOf({ connection }: SharedShop, { userId }: Person): Promise<string> {
  const { rows } = await connection.pool.query<{ account_id: string | null }>(
    'select account_id from payout_accounts where seller_id = $1',
    [userId],
  );
  return rows[0]?.account_id ?? '';
}

/** Passes the onboarding of a seller, whose account then is active. */
export async function onboard(
  shop: SharedShop,
  seller: Person,
  { country = 'US', bankAccount = '000123456789' } = {},
): Promise<string> {
  await seller.client.call(startOnboarding, { body: { country } });
  const accountId = await accountIdOf(shop, seller);
  await shop.cards.changeAccount(accountId, { onboarding: { outcome: 'pass', bankAccount } });
  await seller.client.call(refreshPayoutAccount, {});
  return accountId;
}

/** A new seller whose account at the card processor is active. */
export async function onboardedSeller(shop: SharedShop): Promise<Person> {
  const seller = await shop.seller();
  await onboard(shop, seller);
  // The shop hears of it by a webhook. `expect.poll` is refused in a hook.
  await vi.waitFor(
    async () =>
      expect(await seller.client.call(readPayoutAccount, {})).toMatchObject({
        method: 'card_processor',
        state: 'active',
      }),
    { timeout: 60_000 },
  );
  return seller;
}

/** Sells a laptop and releases the money. @param details the price, and a card number */
export async function sellAndRelease(
  shop: SharedShop,
  seller: Person,
  details: { price?: number; card?: string } = {},
): Promise<Sale> {
  const sale = await sellLaptop(shop, { ...details, seller });
  await sale.buyer.client.call(confirmOrder, { params: { _id: sale.orderId } });
  return sale;
}

/** Gives the whole price of a released order back, as a complaint does. @param beforeCommit awaited at the end of the transaction */
export function refundOrder(
  { connection, enqueue }: SharedShop,
  orderId: string,
  beforeCommit?: () => Promise<void>,
): Promise<void> {
  return connection.database.transaction().execute(async (transaction) => {
    for (const move of ['complain', 'decide_refund'] as const) {
      const order = await selectOrderForUpdate(transaction, orderId);
      if (order === undefined) throw new Error('There is no such order.');
      expect(await moveOrder(transaction, enqueue, order, move)).not.toBeNull();
    }
    await beforeCommit?.();
  });
}

/** An order's transfers at the card processor, newest first. */
export async function readTransfers({ cards }: SharedShop, orderId: string): Promise<Stripe.Transfer[]> {
  const { data } = await cards.stripe.transfers.list({ limit: 100 });
  return data.filter(({ metadata }) => metadata.orderId === orderId);
}

/** The amounts of an order's transfers at the card processor, in cents. */
export async function transfersOf(shop: SharedShop, orderId: string): Promise<number[]> {
  return (await readTransfers(shop, orderId)).map(({ amount }) => amount);
}
