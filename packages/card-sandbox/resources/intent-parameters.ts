import { z } from 'zod';
import { expand, flag, integer, metadata, nullableText, text } from '../api/parameters.ts';
import type { Shipping } from '../storage/records.ts';
import { address, paymentMethodData } from './payment-methods.ts';

const shipping = z
  .strictObject({
    name: text.min(1),
    phone: nullableText,
    carrier: nullableText,
    tracking_number: nullableText,
    address,
  })
  .transform(({ name, phone, carrier, tracking_number: trackingNumber, address: place }): Shipping => {
    return { name, phone, carrier, trackingNumber, ...place };
  });

/** Stripe's rules for what follows the platform's own descriptor: https://docs.stripe.com/get-started/account/statement-descriptors */
const descriptorSuffix = text
  .regex(/^(?=.*[a-zA-Z])[^<>\\'"*]{1,22}$/)
  .or(z.literal(''))
  .optional()
  .transform((given) => given || null);

export const createParameters = z.strictObject({
  amount: integer,
  currency: z.string().regex(/^[a-zA-Z]{3}$/),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  // Removed in version 2026-09-30.endive: https://docs.stripe.com/changelog/endive
  payment_method_types: z.unknown().optional(),
  payment_method: text.optional(),
  confirm: flag.optional(),
  return_url: text.optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  description: nullableText,
  receipt_email: nullableText,
  statement_descriptor: nullableText,
  statement_descriptor_suffix: descriptorSuffix,
  customer: text.optional(),
  shipping: shipping.optional(),
  transfer_group: nullableText,
  metadata: metadata.optional(),
  expand,
});

/** Includes what Stripe's browser library sends. */
export const confirmParameters = z.strictObject({
  payment_method: text.optional(),
  payment_method_data: paymentMethodData.optional(),
  client_secret: text.optional(),
  return_url: text.optional(),
  receipt_email: text.optional(),
  use_stripe_sdk: flag.optional(),
  expected_payment_method_type: z.literal('card').optional(),
  expand,
});

export const retrieveParameters = z.strictObject({ client_secret: text.optional(), expand });

export const cancelParameters = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
  expand,
});

/** The result that the 3-D Secure dialog reports. */
export const authenticationParameters = z.strictObject({
  client_secret: text,
  outcome: z.enum(['complete', 'fail']),
});
