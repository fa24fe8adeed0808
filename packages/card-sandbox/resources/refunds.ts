import { z } from 'zod';
import { badParameter, noSuch, Refusal } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { isOfPayment, ofPayment, page } from '../api/lists.ts';
import { expand, integer, metadata, readParameters, text } from '../api/parameters.ts';
import type { Faults } from '../control/faults.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Charge, Refund } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { emit } from '../webhooks/events.ts';
import { renderFoundCharge } from './charges.ts';
import { renderRefund } from './render.ts';

const createParameters = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
  expand,
});

const retrieveParameters = z.strictObject({ expand });

function chargeToRefund(ledger: Ledger, given: z.output<typeof createParameters>): Charge {
  if (given.payment_intent === undefined && given.charge === undefined) {
    throw badParameter(
      'payment_intent',
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  if (given.charge !== undefined) {
    const charge = ledger.find('charge', given.charge);
    if (charge === undefined) throw noSuch('charge', given.charge, 'charge');
    return charge;
  }
  const id = given.payment_intent ?? '';
  const intent = ledger.find('intent', id);
  if (intent === undefined) throw noSuch('payment_intent', id, 'payment_intent');
  const charge = intent.latestCharge === null ? undefined : ledger.find('charge', intent.latestCharge);
  if (charge === undefined || intent.status !== 'succeeded') {
    throw badParameter(
      'payment_intent',
      `This PaymentIntent (${id}) does not have a successful charge to refund.`,
    );
  }
  return charge;
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** How a refund to this charge's card begins, and what it becomes. */
function courseOf(ledger: Ledger, faults: Faults, charge: Charge): Pick<Refund, 'status' | 'outcome'> {
  const { afterwards } = ledger.find('paymentMethod', charge.paymentMethod) ?? {};
  if (faults.plan.refunds === 'good') return { status: 'succeeded', outcome: null };
  if (afterwards === 'refunds fail') return { status: 'succeeded', outcome: 'failed' };
  if (afterwards === 'refunds take time') return { status: 'pending', outcome: 'succeeded' };
  return { status: 'succeeded', outcome: null };
}

function create(ledger: Ledger, faults: Faults, call: Call): Refund {
  const given = readParameters(createParameters, call.parameters);
  const charge = chargeToRefund(ledger, given);
  if (charge.decline !== null) {
    throw badParameter('charge', `Charge ${charge.id} has failed and cannot be refunded.`);
  }
  const dispute = charge.dispute === null ? undefined : ledger.find('dispute', charge.dispute);
  // During an inquiry no money has been withdrawn yet.
  if (dispute !== undefined && dispute.status !== 'won' && !dispute.status.startsWith('warning_')) {
    throw new Refusal(
      400,
      'invalid_request_error',
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      { code: 'charge_disputed', kept: true },
    );
  }
  const left = charge.amount - charge.amountRefunded;
  if (left === 0) {
    throw new Refusal(400, 'invalid_request_error', `Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      kept: true,
    });
  }
  const amount = given.amount ?? left;
  if (amount < 1) throw badParameter('amount', 'Invalid positive integer', 'parameter_invalid_integer');
  if (amount > left) {
    throw badParameter(
      'amount',
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
    );
  }
  const refund: Refund = {
    kind: 'refund',
    id: newId('re'),
    created: nowInSeconds(),
    amount,
    currency: charge.currency,
    charge: charge.id,
    intent: charge.intent,
    reason: given.reason ?? null,
    metadata: given.metadata ?? {},
    ...courseOf(ledger, faults, charge),
  };
  ledger.put(refund);
  ledger.put({ ...charge, amountRefunded: charge.amountRefunded + amount });
  emit(ledger, call, 'refund.created', renderRefund(refund));
  emit(ledger, call, 'charge.refunded', renderFoundCharge(ledger, charge.id, 'charge'));
  emit(ledger, call, 'refund.updated', renderRefund(refund));
  return refund;
}

/**
 * Lets a refund become what it was going to be. What failed is the shop's again. Only inside the ledger's `run`.
 */
export function settleRefund(ledger: Ledger, refund: Refund, status: 'succeeded' | 'failed'): void {
  const settled: Refund = { ...refund, status, outcome: null };
  ledger.put(settled);
  const charge = ledger.find('charge', refund.charge);
  if (status === 'failed' && charge !== undefined) {
    ledger.put({ ...charge, amountRefunded: charge.amountRefunded - refund.amount });
  }
  emit(ledger, null, 'refund.updated', renderRefund(settled));
  emit(ledger, null, 'charge.refund.updated', renderRefund(settled));
  if (status === 'failed') emit(ledger, null, 'refund.failed', renderRefund(settled));
}

export function refundEndpoints(ledger: Ledger, faults: Faults): Endpoint[] {
  const path = '/v1/refunds';
  return [
    {
      method: 'POST',
      path,
      fromBrowser: false,
      handle: (call) => ({ ...renderRefund(create(ledger, faults, call)) }),
    },
    {
      method: 'GET',
      path,
      fromBrowser: false,
      handle(call) {
        const asked = readParameters(ofPayment, call.parameters);
        return page(path, 'refund', ledger.all('refund').filter(isOfPayment(asked)), asked, renderRefund);
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      fromBrowser: false,
      handle(call) {
        readParameters(retrieveParameters, call.parameters);
        const refund = ledger.find('refund', call.id);
        if (refund === undefined) throw noSuch('refund', call.id, 'refund');
        return { ...renderRefund(refund) };
      },
    },
  ];
}
