import { z } from 'zod';

const seconds = z.int();
const metadata = z.record(z.string(), z.string());

const decline = z.object({
  code: z.string(),
  declineCode: z.string().nullable(),
  message: z.string(),
});

/** Why a charge is refused; `message` is the sentence that Stripe shows to the buyer. */
export type Decline = z.infer<typeof decline>;

const billingDetails = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable(),
});

export type BillingDetails = z.infer<typeof billingDetails>;

const paymentError = z.object({
  type: z.enum(['card_error', 'invalid_request_error']),
  code: z.string(),
  declineCode: z.string().nullable(),
  message: z.string(),
  charge: z.string().nullable(),
  paymentMethod: z.string(),
});

export type PaymentError = z.infer<typeof paymentError>;

const intentStatuses = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'succeeded',
  'canceled',
] as const;

const intent = z.object({
  kind: z.literal('intent'),
  id: z.string(),
  created: seconds,
  amount: z.int(),
  amountReceived: z.int(),
  currency: z.string(),
  status: z.enum(intentStatuses),
  clientSecret: z.string(),
  description: z.string().nullable(),
  receiptEmail: z.string().nullable(),
  statementDescriptor: z.string().nullable(),
  statementDescriptorSuffix: z.string().nullable(),
  metadata,
  automaticPaymentMethods: z.boolean(),
  allowRedirects: z.enum(['always', 'never']),
  paymentMethod: z.string().nullable(),
  latestCharge: z.string().nullable(),
  lastError: paymentError.nullable(),
  canceledAt: seconds.nullable(),
  cancellationReason: z.string().nullable(),
});

export type Intent = z.infer<typeof intent>;

/** A card without its number: what the stand-in keeps is how the card behaves. */
const paymentMethod = z.object({
  kind: z.literal('paymentMethod'),
  id: z.string(),
  created: seconds,
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  country: z.string(),
  funding: z.string(),
  fingerprint: z.string(),
  hasCode: z.boolean(),
  billing: billingDetails,
  asksAuthentication: z.boolean(),
  decline: decline.nullable(),
});

export type PaymentMethod = z.infer<typeof paymentMethod>;

const charge = z.object({
  kind: z.literal('charge'),
  id: z.string(),
  created: seconds,
  amount: z.int(),
  amountRefunded: z.int(),
  currency: z.string(),
  intent: z.string(),
  paymentMethod: z.string(),
  authenticated: z.boolean(),
  decline: decline.nullable(),
  description: z.string().nullable(),
  receiptEmail: z.string().nullable(),
  metadata,
});

export type Charge = z.infer<typeof charge>;

const refund = z.object({
  kind: z.literal('refund'),
  id: z.string(),
  created: seconds,
  amount: z.int(),
  currency: z.string(),
  charge: z.string(),
  intent: z.string(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).nullable(),
  metadata,
});

export type Refund = z.infer<typeof refund>;

const event = z.object({
  kind: z.literal('event'),
  id: z.string(),
  created: seconds,
  type: z.string(),
  /** The object as it was at that moment, in Stripe's own shape. */
  object: z.record(z.string(), z.unknown()),
  request: z.string(),
  idempotencyKey: z.string().nullable(),
});

export type Event = z.infer<typeof event>;

const delivery = z.object({
  kind: z.literal('delivery'),
  /** The id of the event it carries. */
  id: z.string(),
  status: z.enum(['pending', 'delivered', 'abandoned']),
  attempts: z.int(),
  /** Status of the last answer; null when there was none. */
  lastAnswer: z.int().nullable(),
  /** Milliseconds since 1970. */
  dueAt: z.number(),
});

export type Delivery = z.infer<typeof delivery>;

const keptAnswer = z.object({
  kind: z.literal('keptAnswer'),
  /** The idempotency key. */
  id: z.string(),
  created: seconds,
  fingerprint: z.string(),
  request: z.string(),
  status: z.int(),
  body: z.record(z.string(), z.unknown()),
});

export type KeptAnswer = z.infer<typeof keptAnswer>;

/** Everything the journal can hold. */
export const recordSchema = z.discriminatedUnion('kind', [
  intent,
  paymentMethod,
  charge,
  refund,
  event,
  delivery,
  keptAnswer,
]);

export type Stored = z.infer<typeof recordSchema>;
