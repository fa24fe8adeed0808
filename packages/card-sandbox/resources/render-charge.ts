import type Stripe from 'stripe';
import { requireRecord } from '../api/api-error.ts';
import type { Partly } from '../storage/record.ts';
import type { Charge } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { movementId } from './movements.ts';

/** Renders a charge in Stripe's format. */
export function renderCharge(store: Store, charge: Charge): Partly<Stripe.Charge> {
  const method = requireRecord(store, 'paymentMethod', charge.paymentMethod);
  const { details } = requireRecord(store, 'intent', charge.intent);
  const { decline } = charge;
  const paid = decline === null;
  return {
    id: charge.id,
    object: 'charge',
    ...details,
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    balance_transaction: paid ? movementId(charge.id) : null,
    billing_details: method.billing,
    captured: paid,
    created: charge.created,
    currency: charge.currency,
    disputed: charge.dispute !== null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    paid,
    payment_intent: charge.intent,
    payment_method: charge.paymentMethod,
    payment_method_details: { type: 'card', card: method.card },
    refunded: paid && charge.amountRefunded === charge.amount,
    status: paid ? 'succeeded' : 'failed',
    transfer_group: charge.transferGroup,
  };
}
