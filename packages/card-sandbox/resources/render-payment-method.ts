import type Stripe from 'stripe';
import type { BillingDetails, PaymentMethod } from '../storage/records.ts';

export function renderBilling(billing: BillingDetails): Stripe.Charge.BillingDetails {
  const { name, email, phone, line1, line2, city, state, postalCode, country } = billing;
  return {
    address: { city, country, line1, line2, postal_code: postalCode, state },
    email,
    name,
    phone,
    tax_id: null,
  };
}

const passIf = (given: boolean) => (given ? 'pass' : null);

/** Renders the bank's checks: those that were made have passed. */
export const renderChecks = (method: PaymentMethod) => ({
  address_line1_check: passIf(method.billing.line1 !== null),
  address_postal_code_check: passIf(method.billing.postalCode !== null),
  cvc_check: passIf(method.hasCode),
});

/** Renders a payment method in Stripe's format. */
export function renderPaymentMethod(method: PaymentMethod): Stripe.PaymentMethod {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: renderBilling(method.billing),
    card: {
      brand: method.brand,
      checks: renderChecks(method),
      country: method.country,
      display_brand: method.brand,
      exp_month: method.expiryMonth,
      exp_year: method.expiryYear,
      fingerprint: method.fingerprint,
      funding: method.funding,
      generated_from: null,
      last4: method.last4,
      networks: { available: [method.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: method.created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}
