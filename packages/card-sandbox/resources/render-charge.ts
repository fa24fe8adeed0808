import type Stripe from 'stripe';
import { requireRecord } from '../api/api-error.ts';
import type { Charge, PaymentMethod, Shipping } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { movementId } from './movements.ts';
import { renderBilling, renderChecks } from './render-payment-method.ts';

function renderCardDetails(charge: Charge, method: PaymentMethod): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: charge.decline === null ? charge.amount : null,
    authorization_code: null,
    brand: method.brand,
    checks: renderChecks(method),
    country: method.country,
    electronic_commerce_indicator: null,
    exp_month: method.expiryMonth,
    exp_year: method.expiryYear,
    fingerprint: method.fingerprint,
    funding: method.funding,
    installments: null,
    last4: method.last4,
    mandate: null,
    network: method.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: charge.authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: null,
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  };
}

const calculatedDescriptor = ({ statementDescriptorSuffix: suffix }: Charge) =>
  suffix === null ? 'CARD SANDBOX' : `CARD SANDBOX* ${suffix}`.slice(0, 22);

/** Renders where the goods of a payment go, in Stripe's format. */
export function renderShipping(shipping: Shipping | null): Stripe.PaymentIntent.Shipping | null {
  if (shipping === null) return null;
  const { name, phone, carrier, trackingNumber, postalCode, ...address } = shipping;
  return {
    address: { ...address, postal_code: postalCode },
    ...(carrier !== null && { carrier }),
    name,
    ...(phone !== null && { phone }),
    ...(trackingNumber !== null && { tracking_number: trackingNumber }),
  };
}

/** Renders a charge in Stripe's format. */
export function renderCharge(store: Store, charge: Charge): Stripe.Charge {
  const method = requireRecord(store, 'paymentMethod', charge.paymentMethod);
  const { decline } = charge;
  const paid = decline === null;
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? movementId(charge.id) : null,
    billing_details: renderBilling(method.billing),
    calculated_statement_descriptor: calculatedDescriptor(charge),
    captured: paid,
    created: charge.created,
    currency: charge.currency,
    customer: charge.customer,
    description: charge.description,
    disputed: charge.dispute !== null,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: charge.intent,
    payment_method: charge.paymentMethod,
    payment_method_details: { type: 'card', card: renderCardDetails(charge, method) },
    receipt_email: charge.receiptEmail,
    receipt_number: null,
    receipt_url: null,
    refunded: paid && charge.amountRefunded === charge.amount,
    review: null,
    shipping: renderShipping(charge.shipping),
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: charge.statementDescriptorSuffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: charge.transferGroup,
  };
}
