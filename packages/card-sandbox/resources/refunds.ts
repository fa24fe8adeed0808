import { z } from 'zod';
import { invalidParameter, refused, requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { listEndpoint, retrieveEndpoint } from '../api/lists.ts';
import { expand, metadata, positiveInteger, readParameters, text } from '../api/parameters.ts';
import type { Faults } from '../control/faults.ts';
import { newRecord } from '../identifiers.ts';
import type { Charge, Refund } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';
import { formatMoney } from './currencies.ts';
import { availableBalance, convert, isSettled, recordRefund, recordRefundFailure } from './movements.ts';

const createParameters = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: positiveInteger.optional(),
  metadata: metadata.optional(),
  expand,
});

function chargeToRefund(store: Store, given: z.output<typeof createParameters>): Charge {
  if (given.payment_intent === undefined && given.charge === undefined) {
    throw invalidParameter(
      'payment_intent',
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  if (given.charge !== undefined) return requireRecord(store, 'charge', given.charge);
  const id = given.payment_intent ?? '';
  const intent = requireRecord(store, 'intent', id, 'payment_intent');
  const charge = intent.latestCharge === null ? undefined : store.find('charge', intent.latestCharge);
  if (charge === undefined || intent.status !== 'succeeded') {
    throw invalidParameter(
      'payment_intent',
      `This PaymentIntent (${id}) does not have a successful charge to refund.`,
    );
  }
  return charge;
}

/** Returns the first status of a refund to this charge's card, and the scheduled one. */
function initialStatus(store: Store, faults: Faults, charge: Charge): Pick<Refund, 'status' | 'outcome'> {
  const { afterwards } = store.find('paymentMethod', charge.paymentMethod) ?? {};
  if (faults.plan.refunds === 'good') return { status: 'succeeded', outcome: null };
  if (afterwards === 'refunds fail') return { status: 'succeeded', outcome: 'failed' };
  if (afterwards === 'refunds take time') return { status: 'pending', outcome: 'succeeded' };
  return { status: 'succeeded', outcome: null };
}

/** Whether the money of a refund is there. That of a charge which is not settled is taken from its own pending money. */
export function isCovered(
  store: Store,
  { charge, amount: cents }: Pick<Refund, 'charge' | 'amount'>,
): boolean {
  const { amount, currency } = convert(store, charge, cents);
  return !isSettled(store, charge) || amount <= availableBalance(store, null, currency);
}

/** Continues a refund that lacked funds. Call it only inside the store's `run`. */
export function fundRefund(store: Store, refund: Refund): void {
  const funded: Refund = { ...refund, lacksFunds: false, status: 'succeeded' };
  recordRefund(store, funded);
  putAndEmit(store, null, funded, 'refund.updated', 'charge.refund.updated');
}

function create(store: Store, faults: Faults, call: Call): Refund {
  const given = readParameters(createParameters, call.parameters);
  const charge = chargeToRefund(store, given);
  if (charge.decline !== null) {
    throw invalidParameter('charge', `Charge ${charge.id} has failed and cannot be refunded.`);
  }
  const dispute = charge.dispute === null ? undefined : store.find('dispute', charge.dispute);
  // An inquiry has not withdrawn the money, so the charge can still be refunded.
  if (dispute !== undefined && dispute.status !== 'won' && !dispute.status.startsWith('warning_')) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  }
  const remaining = charge.amount - charge.amountRefunded;
  if (remaining === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  }
  const amount = given.amount ?? remaining;
  if (amount > remaining) {
    throw invalidParameter(
      'amount',
      `Refund amount (${formatMoney(amount, charge.currency)}) is greater than unrefunded amount on charge (${formatMoney(remaining, charge.currency)})`,
    );
  }
  const lacksFunds = !isCovered(store, { charge: charge.id, amount });
  const refund: Refund = {
    ...newRecord('refund', 're'),
    amount,
    currency: charge.currency,
    charge: charge.id,
    intent: charge.intent,
    metadata: given.metadata ?? {},
    ...initialStatus(store, faults, charge),
    failureReason: null,
    ...(lacksFunds && { status: 'pending' }),
    lacksFunds,
  };
  const refundedCharge = { ...charge, amountRefunded: charge.amountRefunded + amount };
  if (!lacksFunds) recordRefund(store, refund);
  putAndEmit(store, call, refund, 'refund.created');
  putAndEmit(store, call, refundedCharge, 'charge.refunded');
  emit(store, call, 'refund.updated', refund);
  return refund;
}

/**
 * Applies the final status of a refund. The amount of a failed one is no longer refunded. Call it only inside the store's
 * `run`.
 */
export function settleRefund(store: Store, refund: Refund, status: 'succeeded' | 'failed'): void {
  const settled: Refund = { ...refund, status, outcome: null, lacksFunds: false };
  const charge = store.find('charge', refund.charge);
  if (status === 'failed' && !refund.lacksFunds) recordRefundFailure(store, refund);
  if (status === 'failed' && charge !== undefined) {
    store.put({ ...charge, amountRefunded: charge.amountRefunded - refund.amount });
  }
  putAndEmit(store, null, settled, 'refund.updated', 'charge.refund.updated');
  if (status === 'failed') emit(store, null, 'refund.failed', settled);
}

export const refundEndpoints = (faults: Faults): Endpoint[] => [
  { method: 'POST', path: '/v1/refunds', handle: (store, call) => create(store, faults, call) },
  listEndpoint('refund', '/v1/refunds', { payment_intent: ({ intent }) => intent }),
  retrieveEndpoint('refund', '/v1/refunds'),
];
