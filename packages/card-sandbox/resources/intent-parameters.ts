import { z } from 'zod';
import { expand, flag, integer, metadata, nullableText, text } from '../api/parameters.ts';
import { address, paymentMethodData } from './payment-methods.ts';

const shipping = z.strictObject({ name: text.min(1), phone: nullableText, address });

/** Stripe's rules for what follows the platform's own descriptor: https://docs.stripe.com/get-started/account/statement-descriptors */
const descriptorSuffix = text
  .regex(/^(?=.*[a-zA-Z])[^<>\\'"*]{1,22}$/)
  .or(z.literal(''))
  .optional()
  .transform((given) => given || null);

export const createParameters = z.strictObject({
  amount: integer,
  currency: z.string().regex(/^[a-zA-Z]{3}$/),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  // Removed in version 2026-09-30.endive: https://docs.stripe.com/changelog/endive
  payment_method_types: z.unknown().optional(),
  payment_method: text.optional(),
  confirm: flag.optional(),
  description: nullableText,
  receipt_email: nullableText,
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
  use_stripe_sdk: flag.optional(),
  expected_payment_method_type: z.literal('card').optional(),
  expand,
});

export const retrieveParameters = z.strictObject({ client_secret: text.optional(), expand });

/** The result that the 3-D Secure dialog reports. */
export const authenticationParameters = z.strictObject({
  client_secret: text,
  outcome: z.enum(['complete', 'fail']),
});
