import { setTimeout as pause } from 'node:timers/promises';
import type Stripe from 'stripe';
import { refreshPayoutAccount, startOnboarding } from '#contract/money/payouts.ts';
import { readBooking } from '#contract/sales/bookings.ts';
import { answerAsBuyer, answerAsSeller, cancelSale, complain } from '#contract/sales/complaints.ts';
import { confirmOrder, handOver, readOrder } from '#contract/sales/orders.ts';
import type { Caller } from './callers.ts';

/** Counts a call's outcome. @returns the response; null when the call was refused or its response was lost */
type RecordOutcome = <Answer>(call: string, work: Promise<Answer>) => Promise<Answer | null>;

/**
 * Passes the card processor's onboarding page, so that the seller is paid by transfers.
 * @param bankAccount a test account of the stand-in
 */
export async function onboard({ client }: Caller, bankAccount: string): Promise<void> {
  const { url } = await client.call(startOnboarding, { body: { country: 'US' } });
  // The link leads to a page, whose form is sent to the page's own address.
  const page = await fetch(url);
  await page.text();
  const body = new URLSearchParams({ outcome: 'pass', bank_account: bankAccount });
  const sent = await fetch(page.url, { method: 'POST', body, redirect: 'manual' });
  if (sent.status !== 303) throw new Error(`The onboarding page answered ${sent.status}.`);
  const { state } = await client.call(refreshPayoutAccount, {});
  if (state !== 'active') throw new Error(`The seller's account is ${state} after the onboarding.`);
}

/** Confirms, hands over or cancels a sale, or leaves it to the clock. */
export async function endSale(
  recordOutcome: RecordOutcome,
  { buyer, seller, bookingId }: { buyer: Caller; seller: Caller; bookingId: string },
): Promise<void> {
  const booking = await recordOutcome(
    'read booking',
    buyer.client.call(readBooking, { params: { _id: bookingId } }),
  );
  const params = { _id: booking?.order?._id ?? '' };
  if (params._id === '') return;
  const choice = Math.random();
  if (choice < 0.5) {
    await recordOutcome('confirm', buyer.client.call(confirmOrder, { params }));
  } else if (choice < 0.8) {
    const order = await recordOutcome('read order', buyer.client.call(readOrder, { params }));
    const code = order?.handoverCode;
    if (code === undefined) return;
    await recordOutcome('hand over', seller.client.call(handOver, { params, body: { code } }));
  } else if (choice < 0.9) {
    const body = { text: 'It fell off the table.' };
    await recordOutcome('cancel sale', seller.client.call(cancelSale, { params, body }));
  }
}

/** The buyer complains about a sale and returns the laptop: what the seller was paid for it becomes a debt. */
export async function returnListingToSeller(
  { buyer, seller }: { buyer: Caller; seller: Caller },
  _id: string,
): Promise<void> {
  const params = { _id };
  const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
  await buyer.client.call(complain, { params, body });
  await seller.client.call(answerAsSeller, { params, body: { move: 'accept' } });
  await buyer.client.call(answerAsBuyer, { params, body: { move: 'report_return' } });
  await seller.client.call(answerAsSeller, { params, body: { move: 'confirm_return' } });
}

/** Decides open disputes as banks do: half of them for the buyer. Calls fail while the card processor is unavailable. */
export async function decideDisputes(stripe: Stripe): Promise<void> {
  await pause(500);
  try {
    const { data } = await stripe.disputes.list({ limit: 100 });
    for (const { id, status } of data) {
      if (status !== 'needs_response') continue;
      if (Math.random() < 0.5) await stripe.disputes.close(id);
      else await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
    }
  } catch {
    // The next round decides the rest.
  }
}
