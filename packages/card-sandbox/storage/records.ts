// The records on disk. A version reads only its own: a start with others says that their folder must be emptied.

import type Stripe from 'stripe';
import { z } from 'zod';
import {
  account,
  accountLink,
  balanceSettings,
  movement,
  payout,
  platform,
  reversal,
  transfer,
} from './connect-records.ts';
import { inStripesFormat, metadata, type Partly, record, seconds } from './record.ts';

const decline = z.object({
  code: z.string(),
  declineCode: z.string().nullable(),
  message: z.string(),
});

/** Why a charge is declined; `message` is Stripe's text for the buyer. */
export type Decline = z.infer<typeof decline>;

export type BillingDetails = Partly<Stripe.Charge.BillingDetails>;

type PaymentDetails = Pick<
  Partly<Stripe.PaymentIntent>,
  'customer' | 'description' | 'metadata' | 'receipt_email' | 'shipping' | 'statement_descriptor_suffix'
>;

const customer = record.extend({
  kind: z.literal('customer'),
  email: z.string().nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  metadata,
  isDeleted: z.boolean(),
});

const intent = record.extend({
  kind: z.literal('intent'),
  amount: z.int(),
  amountReceived: z.int(),
  currency: z.string(),
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'succeeded',
    'canceled',
  ]),
  clientSecret: z.string(),
  /** What its charge has as well. */
  details: inStripesFormat<PaymentDetails>(),
  cardOnly: z.boolean(),
  paymentMethod: z.string().nullable(),
  latestCharge: z.string().nullable(),
  lastError: inStripesFormat<Partly<Stripe.PaymentIntent.LastPaymentError>>().nullable(),
  canceledAt: seconds.nullable(),
  transferGroup: z.string().nullable(),
});

const delayedEffect = z.enum([
  'refunds fail',
  'refunds take time',
  'is disputed',
  'is asked about',
  'is warned about',
]);

/** The effect that a test card has some time after its payment succeeded. */
export type DelayedEffect = z.infer<typeof delayedEffect>;

/** A card without its number, with the behaviour of the test card instead. */
const paymentMethod = record.extend({
  kind: z.literal('paymentMethod'),
  card: inStripesFormat<Partly<Stripe.PaymentMethod.Card>>(),
  billing: inStripesFormat<BillingDetails>(),
  asksAuthentication: z.boolean(),
  decline: decline.nullable(),
  afterwards: delayedEffect.nullable(),
  /** Whether the money of a payment is available at once. */
  settlesAtOnce: z.boolean(),
});

const charge = record.extend({
  kind: z.literal('charge'),
  amount: z.int(),
  amountRefunded: z.int(),
  currency: z.string(),
  intent: z.string(),
  paymentMethod: z.string(),
  decline: decline.nullable(),
  /** The effect of its card that is scheduled. Those on refunds are of the refunds. */
  scheduled: z.enum(['is disputed', 'is asked about', 'is warned about']).nullable(),
  /** The id of its dispute. */
  dispute: z.string().nullable(),
  transferGroup: z.string().nullable(),
});

const refund = record.extend({
  kind: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  charge: z.string(),
  intent: z.string(),
  metadata,
  status: z.enum(['pending', 'succeeded', 'failed']),
  /** The scheduled final status; null once it is reached. */
  outcome: z.enum(['succeeded', 'failed']).nullable(),
  /** Whether it waits for the platform's balance. Nothing is scheduled until it is funded. */
  lacksFunds: z.boolean(),
  /** Stripe's reason of one that failed before it was funded. */
  failureReason: z.string().nullable(),
});

const dispute = record.extend({
  kind: z.literal('dispute'),
  amount: z.int(),
  currency: z.string(),
  charge: z.string(),
  intent: z.string(),
  status: z.enum([
    'warning_needs_response',
    'warning_under_review',
    'warning_closed',
    'needs_response',
    'under_review',
    'won',
    'lost',
  ]),
  /** When evidence is due, in seconds since 1970. */
  dueBy: seconds,
  evidence: z.string().nullable(),
  submissions: z.int(),
});

const earlyFraudWarning = record.extend({
  kind: z.literal('earlyFraudWarning'),
  charge: z.string(),
  intent: z.string(),
  fraudType: z.string(),
});

const event = record.extend({
  kind: z.literal('event'),
  type: z.string(),
  /** In version 1 the object at the time of the event, in Stripe's format; in version 2 a reference to it. */
  object: z.record(z.string(), z.unknown()),
  version: z.enum(['v1', 'v2']),
  /** The connected account that the object belongs to; null for the platform. */
  account: z.string().nullable(),
  /** The id of the request that caused it; null for a scheduled change. */
  request: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
});

const eventDestination = z.object({
  kind: z.literal('eventDestination'),
  id: z.string(),
  created: seconds,
  name: z.string(),
  url: z.string(),
  payload: z.enum(['snapshot', 'thin']),
  enabledEvents: z.array(z.string()),
  eventsFrom: z.array(z.enum(['@self', '@accounts'])),
  metadata: z.record(z.string(), z.string()),
  secret: z.string(),
  status: z.enum(['enabled', 'disabled']),
  isDeleted: z.boolean(),
});

const delivery = z.object({
  kind: z.literal('delivery'),
  /** The id of its event; with a slash and the id of its destination, where it has one. */
  id: z.string(),
  status: z.enum(['pending', 'delivered', 'abandoned']),
  attempts: z.int(),
  /** The HTTP status of the last response; null if there was none. */
  lastAnswer: z.int().nullable(),
  /** When the next attempt is due, in milliseconds since 1970. */
  dueAt: z.number(),
});

const cachedResponse = z.object({
  kind: z.literal('keptAnswer'),
  /** The idempotency key. */
  id: z.string(),
  created: seconds,
  fingerprint: z.string(),
  request: z.string(),
  status: z.int(),
  body: z.record(z.string(), z.unknown()),
});

/** Any record. */
export const recordSchema = z.discriminatedUnion('kind', [
  intent,
  paymentMethod,
  customer,
  charge,
  refund,
  dispute,
  earlyFraudWarning,
  platform,
  balanceSettings,
  account,
  accountLink,
  transfer,
  reversal,
  payout,
  movement,
  event,
  eventDestination,
  delivery,
  cachedResponse,
]);

export type StoredRecord = z.infer<typeof recordSchema>;
export type RecordOf<K extends StoredRecord['kind']> = Extract<StoredRecord, { kind: K }>;
export type Intent = RecordOf<'intent'>;
export type PaymentMethod = RecordOf<'paymentMethod'>;
export type Charge = RecordOf<'charge'>;
export type Refund = RecordOf<'refund'>;
export type Dispute = RecordOf<'dispute'>;
export type Customer = RecordOf<'customer'>;
export type EarlyFraudWarning = RecordOf<'earlyFraudWarning'>;
export type Platform = RecordOf<'platform'>;
export type BalanceSettings = RecordOf<'balanceSettings'>;
export type Account = RecordOf<'account'>;
export type AccountLink = RecordOf<'accountLink'>;
export type Transfer = RecordOf<'transfer'>;
export type Reversal = RecordOf<'reversal'>;
export type Payout = RecordOf<'payout'>;
export type Movement = RecordOf<'movement'>;
export type Event = RecordOf<'event'>;
export type EventDestination = RecordOf<'eventDestination'>;
export type Delivery = RecordOf<'delivery'>;
export type CachedResponse = RecordOf<'keptAnswer'>;

/** The kinds of record that the API returns. */
export const apiKinds = [
  'intent',
  'charge',
  'paymentMethod',
  'customer',
  'refund',
  'dispute',
  'earlyFraudWarning',
  'transfer',
  'reversal',
  'payout',
  'movement',
] as const;

/** A record that the API returns. */
export type ApiRecord = RecordOf<(typeof apiKinds)[number]>;
