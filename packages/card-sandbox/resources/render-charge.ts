import type Stripe from 'stripe';
import { requireRecord } from '../api/api-error.ts';
import type { Partly } from '../api/endpoint.ts';
import type { Charge, Shipping } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { movementId } from './movements.ts';
import { renderBilling, renderCard } from './render-payment-method.ts';

/** Renders where the goods of a payment go, in Stripe's format. */
export function renderShipping(shipping: Shipping | null): Stripe.PaymentIntent.Shipping | null {
  if (shipping === null) return null;
  const { name, phone, postalCode, ...address } = shipping;
  return { address: { ...address, postal_code: postalCode }, name, ...(phone !== null && { phone }) };
}

/** Renders a charge in Stripe's format. */
export function renderCharge(store: Store, charge: Charge): Partly<Stripe.Charge> {
  const method = requireRecord(store, 'paymentMethod', charge.paymentMethod);
  const intent = requireRecord(store, 'intent', charge.intent);
  const { decline } = charge;
  const paid = decline === null;
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    balance_transaction: paid ? movementId(charge.id) : null,
    billing_details: renderBilling(method.billing),
    captured: paid,
    created: charge.created,
    currency: charge.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: charge.dispute !== null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid,
    payment_intent: charge.intent,
    payment_method: charge.paymentMethod,
    payment_method_details: { type: 'card', card: renderCard(method) },
    receipt_email: intent.receiptEmail,
    refunded: paid && charge.amountRefunded === charge.amount,
    shipping: renderShipping(intent.shipping),
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_group: charge.transferGroup,
  };
}
