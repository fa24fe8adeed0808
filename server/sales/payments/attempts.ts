// A payment attempt is a row of `payment_intents`; its intent is the object at the card processor.

import { defangLinks } from '#emails/user-text.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import { requestFingerprint } from '#server/platform/http/idempotency.ts';
import { processAll, throwFirst } from '#server/platform/jobs/batches.ts';
import { addressOf } from '../addresses/rules.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import type { CardIntent, NewIntent } from './card-processor.ts';
import { requireCustomer } from './customers.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { type PaymentOutcome, sellOrRefund } from './steps.ts';
import * as store from './store.ts';

type IntentAddress = NewIntent['buyer']['address'];

/** Where the buyer of a booking gets the laptop, which the card processor compares for fraud. */
function deliveryAddress(booking: BookedLaptop): IntentAddress {
  const address = addressOf(booking);
  if (address === null) return { line1: defangLinks(booking.location ?? '') };
  const { line1, line2, city, region, postalCode, country } = address;
  return {
    line1: defangLinks(line1),
    ...(line2 !== undefined && { line2: defangLinks(line2) }),
    city: defangLinks(city),
    ...(region !== undefined && { state: defangLinks(region) }),
    ...(postalCode !== undefined && { postal_code: postalCode }),
    country,
  };
}

/**
 * Creates the card processor's intent for an attempt and stores its id. The idempotency key makes it the same intent
 * when it is requested again. @throws Refusal when the account has ended, CardProcessorUnavailable, CardProcessorRefusal
 */
export async function createIntent(
  { database, cards }: PaymentDependencies,
  attempt: store.IntentRow,
  booking: BookedLaptop,
): Promise<CardIntent> {
  const contact = {
    id: booking.buyer_id,
    name: defangLinks(booking.buyer_name),
    verifiedEmail: booking.buyer_email_verified ? booking.buyer_email : null,
    phone: formatPhone(booking.phone),
  };
  const customerId = await requireCustomer({ database, cards }, contact);
  const request = {
    amountCents: attempt.amount_cents,
    bookingId: attempt.booking_id,
    // The processor prints it on its receipts, and shows the other texts in its dashboard.
    description: defangLinks(booking.laptop_name),
    brand: booking.laptop_brand,
    buyer: { ...contact, customerId, address: deliveryAddress(booking) },
    seller: { id: booking.seller_id },
  };
  // The card processor refuses a key with other parameters, and the buyer can change the address or a name meanwhile.
  const idempotencyKey = `payment-intent-${attempt.id}-${requestFingerprint(request)}`;
  const intent = await cards.createIntent({ ...request, idempotencyKey });
  await store.setProviderId(database, attempt.id, intent.transactionId);
  return intent;
}

/** Applies a succeeded intent in its own transaction. @returns null when the intent is none of this shop's */
export async function applyCapturedPayment(
  { database, enqueue, cache, shop }: PaymentDependencies,
  intent: CardIntent,
): Promise<PaymentOutcome | null> {
  const settlement = await database
    .transaction()
    .execute((transaction) => sellOrRefund(transaction, enqueue, intent, shop().commission));
  await cache.waitForInvalidation();
  return settlement;
}

/** Applies an intent's status. Late, repeated and reordered updates end in the same state. */
export async function applyStatus(dependencies: PaymentDependencies, intent: CardIntent): Promise<void> {
  if (intent.status === 'succeeded') await applyCapturedPayment(dependencies, intent);
  if (intent.status === 'canceled') {
    await store.endIntent(dependencies.database, intent.transactionId, 'closed');
  }
}

/** Handles {@link cardEvent}: reads the intent's current status and applies it. */
export async function handleCardEvent(
  dependencies: PaymentDependencies,
  transactionId: string,
): Promise<void> {
  const intent = await dependencies.cards.readIntent(transactionId);
  if (intent !== null) await applyStatus(dependencies, intent);
}

/** Cancels an intent and applies its status afterwards: canceled, or succeeded a moment before. */
export async function closeAttempt(dependencies: PaymentDependencies, transactionId: string): Promise<void> {
  const intent = await dependencies.cards.cancelIntent(transactionId);
  if (intent === null) await store.endIntent(dependencies.database, transactionId, 'closed');
  else await applyStatus(dependencies, intent);
}

/**
 * Closes attempts at the card processor and applies their status afterwards. One that has succeeded buys the laptop or is refunded.
 * @throws CardProcessorUnavailable
 */
export async function closeIntents(
  dependencies: PaymentDependencies,
  intents: readonly store.OpenIntent[],
): Promise<void> {
  throwFirst(await processAll(intents, ({ transactionId }) => closeAttempt(dependencies, transactionId)));
}
