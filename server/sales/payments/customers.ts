import { findCardCustomer, removeCardCustomer, replaceCardCustomer } from '#server/people/accounts/steps.ts';
import { accountEnded } from '#server/platform/http/refusal.ts';
import { type BuyerContact, CardProcessorUnavailable } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';

/** How many customers one call creates when each is gone in the meantime. */
const MAXIMUM_CUSTOMERS = 2;

/**
 * Returns the customer of a buyer at the card processor, with the contact of today. One that is missing there (deleted by the
 * operator, or the shop has keys of another account) is followed by a new one. A customer gets personal data only once its id
 * is stored, so that the end of the account finds it.
 * @throws Refusal when the account has ended, CardProcessorUnavailable, CardProcessorRefusal
 */
export async function requireCustomer(
  { database, cards }: Pick<PaymentDependencies, 'database' | 'cards'>,
  buyer: BuyerContact & { id: string },
): Promise<string> {
  let known = await findCardCustomer(database, buyer.id);
  for (let count = 0; ; count += 1) {
    if (known !== null && (await cards.updateCustomer(known, buyer))) return known;
    if (count === MAXIMUM_CUSTOMERS) throw new CardProcessorUnavailable('Each new customer is missing');
    // The same for calls at the same time and after a lost answer, and another one for each successor.
    const idempotencyKey = `customer-${buyer.id}-${known ?? 'first'}`;
    const created = await cards.createCustomer({ buyerId: buyer.id, idempotencyKey });
    const current = await replaceCardCustomer(database, buyer.id, { known, created });
    if (current === undefined) {
      await cards.deleteCustomer(created);
      throw accountEnded();
    }
    known = current;
  }
}

/** Deletes the customer of an account that has ended. @throws CardProcessorUnavailable, CardProcessorRefusal */
export async function deleteCustomer(
  { database, cards }: Pick<PaymentDependencies, 'database' | 'cards'>,
  userId: string,
): Promise<void> {
  const customerId = await findCardCustomer(database, userId);
  if (customerId === null) return;
  await cards.deleteCustomer(customerId);
  await removeCardCustomer(database, userId);
}
