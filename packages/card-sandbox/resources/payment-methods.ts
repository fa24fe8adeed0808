import { createHash } from 'node:crypto';
import { z } from 'zod';
import { noSuch, Refusal } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { expand, integer, readParameters, text } from '../api/parameters.ts';
import { brandOf, checkNumber, codeLength, digitsOf } from '../browser/card-rules.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { BillingDetails, PaymentMethod } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { renderPaymentMethod } from './render.ts';
import { cardBehind, readyPaymentMethods } from './test-cards.ts';

const billingParameters = z.strictObject({
  name: text.optional(),
  email: text.optional(),
  phone: text.optional(),
  address: z
    .strictObject({
      line1: text.optional(),
      line2: text.optional(),
      city: text.optional(),
      state: text.optional(),
      postal_code: text.optional(),
      country: text.optional(),
    })
    .optional(),
});

/** The `payment_method_data` of a confirmation, and the body of `POST /v1/payment_methods`. */
export const paymentMethodData = z.strictObject({
  type: z.literal('card'),
  card: z.strictObject({ number: text, exp_month: integer, exp_year: integer, cvc: text.optional() }),
  billing_details: billingParameters.optional(),
});

type PaymentMethodData = z.output<typeof paymentMethodData>;

function billingOf(given: z.output<typeof billingParameters> = {}): BillingDetails {
  const orNull = (value: string | undefined) => (value === undefined || value === '' ? null : value);
  return {
    name: orNull(given.name),
    email: orNull(given.email),
    phone: orNull(given.phone),
    line1: orNull(given.address?.line1),
    line2: orNull(given.address?.line2),
    city: orNull(given.address?.city),
    state: orNull(given.address?.state),
    postalCode: orNull(given.address?.postal_code),
    country: orNull(given.address?.country),
  };
}

const cardError = (code: string, param: string, message: string) =>
  new Refusal(402, 'card_error', message, { code, param });

/**
 * Keeps a card, without its number and code, as a payment method.
 * @throws {Refusal} when number, date or code cannot be a card's; and for the secret key, because
 * a server that handles card numbers is what Stripe's browser library is there to avoid
 */
export function keepCard(ledger: Ledger, call: Call, data: PaymentMethodData): PaymentMethod {
  if (call.caller === 'secret') {
    throw new Refusal(
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
  const method = methodFor(number, month, year, cvc !== undefined, billingOf(data.billing_details));
  ledger.put(method);
  return method;
}

function methodFor(
  number: string,
  expiryMonth: number,
  expiryYear: number,
  hasCode: boolean,
  billing: BillingDetails,
): PaymentMethod {
  const { brand, funding, asksAuthentication, decline, afterwards } = cardBehind(number, brandOf(number));
  return {
    kind: 'paymentMethod',
    id: newId('pm'),
    created: nowInSeconds(),
    brand,
    last4: number.slice(-4),
    expiryMonth,
    expiryYear,
    country: 'US',
    funding,
    // From the behaviour, not from the number: a hash of sixteen digits is as good as the digits.
    fingerprint: createHash('sha256')
      .update(`${brand}${number.slice(-4)}`)
      .digest('base64url')
      .slice(0, 16),
    hasCode,
    billing,
    asksAuthentication,
    decline,
    afterwards,
  };
}

/**
 * A payment method by id; each use of a ready-made one such as `pm_card_visa` makes a new one.
 * @throws {Refusal} when there is none
 */
export function findPaymentMethod(ledger: Ledger, id: string): PaymentMethod {
  const number = readyPaymentMethods.get(id);
  if (number !== undefined) {
    const method = methodFor(number, 12, new Date().getFullYear() + 4, true, billingOf());
    ledger.put(method);
    return method;
  }
  const method = ledger.find('paymentMethod', id);
  if (method === undefined) throw noSuch('PaymentMethod', id, 'payment_method');
  return method;
}

const createParameters = paymentMethodData.extend({ expand });
const retrieveParameters = z.strictObject({ expand });

export function paymentMethodEndpoints(ledger: Ledger): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/v1/payment_methods',
      fromBrowser: true,
      handle: (call) => ({
        ...renderPaymentMethod(keepCard(ledger, call, readParameters(createParameters, call.parameters))),
      }),
    },
    {
      method: 'GET',
      path: '/v1/payment_methods/:id',
      fromBrowser: false,
      handle(call) {
        readParameters(retrieveParameters, call.parameters);
        return { ...renderPaymentMethod(findPaymentMethod(ledger, call.id)) };
      },
    },
  ];
}
