import type Stripe from 'stripe';
import type { Partly } from '../api/endpoint.ts';
import type { BillingDetails, PaymentMethod } from '../storage/records.ts';

export function renderBilling(billing: BillingDetails): Partly<Stripe.Charge.BillingDetails> {
  const { name, email, phone, line1, line2, city, state, postalCode, country } = billing;
  return { address: { city, country, line1, line2, postal_code: postalCode, state }, email, name, phone };
}

/** Renders the card of a payment method, which is also the one of its charges. */
export const renderCard = ({ brand, expiryMonth, expiryYear, funding, last4 }: PaymentMethod) => ({
  ...{ brand, country: 'US', exp_month: expiryMonth, exp_year: expiryYear, funding, last4 },
});

/** Renders a payment method in Stripe's format. */
export const renderPaymentMethod = (method: PaymentMethod): Partly<Stripe.PaymentMethod> => ({
  id: method.id,
  object: 'payment_method',
  billing_details: renderBilling(method.billing),
  card: renderCard(method),
  created: method.created,
  livemode: false,
  metadata: {},
  type: 'card',
});
