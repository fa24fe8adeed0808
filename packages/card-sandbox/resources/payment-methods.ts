import { z } from 'zod';
import { ApiError, requireRecord } from '../api/api-error.ts';
import type { Call } from '../api/endpoint.ts';
import { integer, nullableText, text } from '../api/parameters.ts';
import { brandOf, checkNumber, codeLength, digitsOf } from '../browser/card-rules.ts';
import { newRecord } from '../identifiers.ts';
import type { BillingDetails, PaymentMethod } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { cardOfPaymentMethod, testCardFor } from './test-cards.ts';

export const address = z.strictObject({
  line1: nullableText,
  line2: nullableText,
  city: nullableText,
  state: nullableText,
  postal_code: nullableText,
  country: nullableText,
});

const billingParameters = z.strictObject({
  name: nullableText,
  email: nullableText,
  phone: nullableText,
  address: address.prefault({}),
});

/** The `payment_method_data` of a confirmation. */
export const paymentMethodData = z.strictObject({
  type: z.literal('card'),
  card: z.strictObject({ number: text, exp_month: integer, exp_year: integer, cvc: text.optional() }),
  billing_details: billingParameters.prefault({}),
});

type PaymentMethodData = z.output<typeof paymentMethodData>;

const cardError = (code: string, param: string, message: string) =>
  new ApiError(402, 'card_error', message, { code, param });

/**
 * Creates a payment method from a card, without storing its number and code.
 * @throws {ApiError} if number, date or code is invalid; and for the secret key, because Stripe refuses raw card numbers
 * from servers by default
 */
export function createPaymentMethod(store: Store, call: Call, data: PaymentMethodData): PaymentMethod {
  if (call.caller === 'secret') {
    throw new ApiError(
      402,
      'invalid_request_error',
      'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use ' +
        'test tokens that map to the test card you are using, see https://stripe.com/docs/testing.',
    );
  }
  const number = digitsOf(data.card.number);
  if (checkNumber(number).state !== 'complete') {
    throw cardError('incorrect_number', 'number', 'Your card number is incorrect.');
  }
  const { exp_month: month, exp_year: givenYear, cvc } = data.card;
  const year = givenYear < 100 ? 2000 + givenYear : givenYear;
  const today = new Date();
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  if (year > today.getFullYear() + 50 || new Date(year, month) <= today) {
    throw cardError('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (cvc !== undefined && !new RegExp(`^\\d{${codeLength(brandOf(number))}}$`).test(cvc)) {
    throw cardError('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  return putPaymentMethod(store, number, { exp_month: month, exp_year: year }, data.billing_details);
}

function putPaymentMethod(
  store: Store,
  number: string,
  expiry: { exp_month: number; exp_year: number },
  billing: BillingDetails,
): PaymentMethod {
  const { brand, funding, ...behaviour } = testCardFor(number, brandOf(number));
  const method: PaymentMethod = {
    ...newRecord('paymentMethod', 'pm'),
    card: { brand, country: 'US', ...expiry, funding, last4: number.slice(-4) },
    billing,
    ...behaviour,
  };
  store.put(method);
  return method;
}

/**
 * Returns a payment method by id. Each use of a test id such as `pm_card_visa` creates a new one, as at Stripe.
 * @throws {ApiError} if it does not exist
 */
export function findPaymentMethod(store: Store, id: string): PaymentMethod {
  const number = cardOfPaymentMethod.get(id);
  if (number !== undefined) {
    const expiry = { exp_month: 12, exp_year: new Date().getFullYear() + 4 };
    return putPaymentMethod(store, number, expiry, billingParameters.parse({}));
  }
  return requireRecord(store, 'paymentMethod', id, 'payment_method');
}
