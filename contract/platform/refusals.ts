import * as z from 'zod/mini';

/**
 * All refusals by code, with HTTP status and title of the problem document (RFC 9457). The code that refuses writes the
 * `detail`, a sentence for people.
 */
export const refusals = {
  malformed_request: { status: 400, title: 'The request cannot be read' },
  invalid_input: { status: 422, title: 'Invalid input' },
  idempotency_key_reused: { status: 422, title: 'This key belongs to another request' },
  report_refused: { status: 422, title: 'This report cannot be taken' },
  check_refused: { status: 422, title: 'This check cannot be taken' },
  upload_too_slow: { status: 400, title: 'The upload is too slow' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  not_signed_in: { status: 401, title: 'Please sign in' },
  token_expired: { status: 401, title: 'Please sign in again' },
  session_ended: { status: 401, title: 'Please sign in again' },
  account_ended: { status: 403, title: 'This account is disabled' },
  not_allowed: { status: 403, title: 'Not for your account' },
  reauthentication_required: { status: 403, title: 'Please sign in once more' },
  second_factor_required: { status: 403, title: 'A second factor is needed' },
  not_found: { status: 404, title: 'Not found' },
  request_in_progress: { status: 409, title: 'Request in progress' },
  no_longer_for_sale: { status: 410, title: 'No longer for sale' },
  seller_left: { status: 410, title: 'This seller has left the shop' },
  already_sold: { status: 409, title: 'Already sold' },
  already_paid: { status: 409, title: 'Already paid' },
  shop_unidentified: { status: 409, title: 'This shop takes no orders yet' },
  sale_paused: { status: 409, title: 'This laptop cannot be sold now' },
  booking_cancelled: { status: 409, title: 'This booking was cancelled' },
  somebody_is_paying: { status: 409, title: 'Somebody is paying right now' },
  shop_claimed: { status: 409, title: 'This shop has an admin' },
  provider_refused: { status: 409, title: 'The provider did not do it' },
  invitation_refused: { status: 409, title: 'This invitation is not possible' },
  last_owner: { status: 409, title: 'The shop needs an owner' },
  money_on_its_way: { status: 409, title: 'Money is on its way' },
  price_not_agreed: { status: 409, title: 'The price has changed' },
  currency_in_use: { status: 409, title: 'The currency can no longer change' },
  changed_elsewhere: { status: 409, title: 'Changed in the meantime' },
  delivery_not_chosen: { status: 409, title: 'Choose how you get it' },
  price_differs: { status: 409, title: 'The price is different' },
  wrong_code: { status: 422, title: 'Wrong code' },
  phone_checks_off: { status: 409, title: 'Phone numbers are not confirmed here' },
  payout_account_refused: { status: 409, title: 'The card processor refuses this account' },
  more_than_due: { status: 409, title: 'More than is due' },
  more_than_owed: { status: 409, title: 'More than is owed' },
  reference_used: { status: 409, title: 'This payment is recorded already' },
  not_measured: { status: 409, title: 'This laptop was not measured' },
  message_refused: { status: 409, title: 'This message cannot be sent' },
  complaint_refused: { status: 409, title: 'This is not possible for the complaint' },
  review_refused: { status: 409, title: 'This is not possible for the review' },
  order_moved: { status: 409, title: 'The order has moved on' },
  payment_not_proven: { status: 409, title: 'The payment is not complete' },
  refund_refused: { status: 409, title: 'This refund is not possible' },
  refunded: { status: 409, title: 'The money goes back' },
  card_processor_refused: { status: 409, title: 'The card processor refuses this payment' },
  too_many_saved_searches: { status: 409, title: 'Too many saved searches' },
  too_many_payment_windows: { status: 409, title: 'You are paying for two other laptops' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  label_refused: { status: 409, title: 'This is not possible for the label' },
  carrier_unavailable: { status: 503, title: 'Carriers are unavailable' },
  card_processor_unavailable: { status: 503, title: 'Card payments are unavailable' },
  identity_unavailable: { status: 503, title: 'Sign-in is unavailable' },
  database_unavailable: { status: 503, title: 'The shop is unavailable' },
  not_ready: { status: 503, title: 'Not ready for requests' },
  busy: { status: 503, title: 'The shop is busy' },
  internal: { status: 500, title: 'Something went wrong on our side' },
} as const satisfies Record<string, { status: number; title: string }>;

export type RefusalCode = keyof typeof refusals;

/** A laptop for which the caller has an open payment window. */
export const OpenPaymentWindow = z.object({
  bookingId: z.string(),
  productName: z.string(),
  /** ISO 8601 in UTC. */
  paymentWindowEndsAt: z.string(),
});
export type OpenPaymentWindow = z.infer<typeof OpenPaymentWindow>;

/** A problem document (RFC 9457). `errors` has the fields of invalid input. */
export const ProblemDocument = z.object({
  type: z.optional(z.string()),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.optional(z.record(z.string(), z.string())),
  retryAt: z.optional(z.string()),
  /** The caller's place in line, from 1. */
  place: z.optional(z.int()),
  /** The caller's present payment windows. */
  paymentWindows: z.optional(z.array(OpenPaymentWindow)),
  requestId: z.optional(z.string()),
});
export type ProblemDocument = z.infer<typeof ProblemDocument>;
