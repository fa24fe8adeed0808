import type { TestShop } from '../operations/shop.ts';
import { waitForEmptyQueue } from '../platform/job-queue.ts';

/** Stripe's test card whose charges are disputed. */
export const DISPUTED_CARD = '4000000000000259';

/** Delivers what the card processor has to say. */
export async function hearCards({ cards, connection }: TestShop): Promise<void> {
  await cards.deliverEvents({});
  await waitForEmptyQueue(connection.pool);
}

/** The bank disputes the sales that were paid with its card. @returns lets it decide about one of them */
export async function disputeSales(shop: TestShop) {
  await shop.cards.runDelayedOutcomes();
  await hearCards(shop);
  const { disputes } = shop.cards.stripe;
  return async (
    { transactionId }: { transactionId: string },
    evidence: 'winning_evidence' | 'losing_evidence',
  ): Promise<void> => {
    const [found] = (await disputes.list({ payment_intent: transactionId })).data;
    await disputes.update(found?.id ?? '', { evidence: { uncategorized_text: evidence } });
    await hearCards(shop);
  };
}
