import type { OwnData } from '#contract/operations/privacy.ts';
import { dollarsFromCents } from '#contract/platform/scalars.ts';
import { byPhotoUrl } from '#server/listings/catalogue/steps.ts';
import { recordedDocuments } from '#server/people/accounts/rules.ts';
import type { Row, Tables, UserRow } from '#server/platform/database/tables.ts';

// Converts database rows to the items of a user's own data, one function for each list of the schema.

/** An item of a list in the own data. */
export type Item<Name extends keyof OwnData> = OwnData[Name] extends readonly (infer Each)[] ? Each : never;

/** A row with the name of its laptop. */
export type WithLaptopName<Name extends keyof Tables> = Row<Name> & { name: string };

const iso = (date: Date) => date.toISOString();
const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;

export const accountItem = (user: UserRow): OwnData['account'] => ({
  _id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  verified: user.verified,
  verifiedAt: isoOrNull(user.verified_at),
  addressCheckedAt: isoOrNull(user.address_checked_at),
  addressDocument: recordedDocuments(user).address,
  identityCheckedAt: isoOrNull(user.identity_checked_at),
  identityDocument: recordedDocuments(user).identity,
  phone: user.phone,
  phoneConfirmedAt: isoOrNull(user.phone_confirmed_at),
  emailVerified: user.email_verified,
  createdAt: iso(user.created_at),
});

export const waitingNameItem = (row: Row<'waiting_names'>): Item<'waitingNames'> => ({
  name: row.name,
  askedAt: iso(row.created_at),
});

export const phoneCodeItem = (row: Row<'phone_codes'>): Item<'phoneCodes'> => ({
  phone: row.phone,
  askedAt: iso(row.asked_at),
  state: row.state,
  wrongAttempts: row.wrong_attempts,
});

/** @param photoUrl makes the public URL of a stored photo */
export const laptopItem = (row: Row<'laptops'>, photoUrl: (photo: string) => string): Item<'laptops'> => ({
  _id: row.id,
  name: row.name,
  category_Id: row.brand,
  location: row.location,
  images: row.images.map(photoUrl),
  captions: byPhotoUrl(row.images, row.photo_captions, photoUrl) ?? {},
  kinds: byPhotoUrl(row.images, row.photo_kinds, photoUrl) ?? {},
  slipCode: row.slip_code,
  description: row.description,
  original_price: dollarsFromCents(row.original_price_cents),
  resale_price: dollarsFromCents(row.resale_price_cents),
  posted_time: row.posted_time,
  use_time: row.use_time,
  mobile_number: row.mobile_number,
  condition: row.condition,
  state: row.state,
  level: row.level,
  levelAt: isoOrNull(row.level_at),
  evidenceSince: isoOrNull(row.evidence_since),
  evidenceEnded: row.evidence_ended,
  takenDownNote: row.taken_down_note,
  advertisedAt: isoOrNull(row.advertised_at),
  listedAt: iso(row.created_at),
  editedAt: isoOrNull(row.edited_at),
});

export const measurementItem = (row: WithLaptopName<'measurements'>): Item<'measurements'> => ({
  productCode: row.laptop_id,
  productName: row.name,
  measuredAt: iso(row.measured_at),
  machine: row.machine,
});

/** @param photoUrl makes the public URL of a stored photo */
export const inspectionItem = (
  row: WithLaptopName<'inspections'>,
  photoUrl: (photo: string) => string,
): Item<'inspections'> => ({
  productCode: row.laptop_id,
  productName: row.name,
  inspectedAt: iso(row.inspected_at),
  kind: row.kind,
  decision: row.decision,
  grade: row.grade,
  note: row.note,
  photos: row.photos.map(photoUrl),
  listing: row.listing,
});

export const draftItem = (row: Row<'laptop_drafts'>): Item<'drafts'> => ({
  _id: row.id,
  deletedAfter: iso(row.expires_at),
  slipCode: row.slip_code,
  measuredAt: isoOrNull(row.measured_at),
  machine: row.machine,
  checkedAt: isoOrNull(row.checked_at),
  checkResults: row.check_results,
  browser: row.check_browser,
});

export const browserCheckItem = (row: WithLaptopName<'browser_checks'>): Item<'browserChecks'> => ({
  productCode: row.laptop_id,
  productName: row.name,
  checkedAt: iso(row.checked_at),
  results: row.results,
  browser: row.browser,
});

export const certificateItem = (row: WithLaptopName<'certificate_versions'>): Item<'certificates'> => ({
  productCode: row.laptop_id,
  productName: row.name,
  version: row.version,
  issuedAt: iso(row.issued_at),
  jws: row.jws,
  revokedAt: isoOrNull(row.revoked_at),
  revocationReason: row.revocation_reason,
});

export const bookingItem = (row: WithLaptopName<'bookings'>): Item<'bookings'> => ({
  _id: row.id,
  productCode: row.laptop_id,
  productName: row.name,
  price: dollarsFromCents(row.price_cents),
  phone: row.phone,
  location: row.location,
  bookedAt: iso(row.booked_at),
  endedAt: isoOrNull(row.ended_at),
  cancelledAt: isoOrNull(row.cancelled_at),
  cancelledBy: row.cancelled_by,
  toldPrice: row.told_price_cents === null ? null : dollarsFromCents(row.told_price_cents),
});

export const reviewItem = (row: Row<'reviews'>): Item<'reviews'> => ({
  orderId: row.order_id,
  stars: row.stars,
  text: row.text,
  writtenAt: iso(row.written_at),
  shownAt: isoOrNull(row.shown_at),
  removedAt: isoOrNull(row.removed_at),
  removalReason: row.removal_reason,
});

export const reviewAnswerItem = (row: Row<'reviews'>): Item<'reviewAnswers'> => ({
  orderId: row.order_id,
  text: row.answer ?? '',
  answeredAt: isoOrNull(row.answered_at),
});

export const wishlistItem = (row: WithLaptopName<'wishlist_items'>): Item<'wishlist'> => ({
  _id: row.id,
  productCode: row.laptop_id,
  productName: row.name,
  addedAt: iso(row.added_at),
});

export const savedSearchItem = (row: Row<'saved_searches'>): Item<'savedSearches'> => ({
  _id: row.id,
  name: row.name,
  filters: row.filters,
  frequency: row.frequency,
  savedAt: iso(row.created_at),
  pausedAt: isoOrNull(row.paused_at),
  lastEmailAt: isoOrNull(row.last_email_at),
});

export const notificationItem = (row: Row<'notifications'>): Item<'notifications'> => ({
  _id: row.id,
  topic: row.topic,
  title: row.title,
  body: row.body,
  path: row.path,
  at: iso(row.created_at),
  seenAt: isoOrNull(row.seen_at),
  emailedAt: isoOrNull(row.emailed_at),
});

export const notificationSettingItem = ({
  topic,
  delivery,
}: Row<'notification_settings'>): Item<'notificationSettings'> => ({ topic, delivery });

export const pushSubscriptionItem = (row: Row<'push_subscriptions'>): Item<'pushSubscriptions'> => ({
  _id: row.id,
  endpoint: row.endpoint,
  subscribedAt: iso(row.created_at),
});

export const attemptItem = (row: Row<'payment_intents'>): Item<'paymentAttempts'> => ({
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  state: row.state,
  createdAt: iso(row.created_at),
});

/** @param party the user's part in the sale */
export const paymentItem = (row: Row<'payments'>, party: 'buyer' | 'seller'): Item<'payments'> => ({
  party,
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  paidAt: iso(row.paid_at),
});

/** @param userId the user's id, which decides whose part in the sale it is */
export const orderItem = (
  row: WithLaptopName<'orders'>,
  events: Item<'orders'>['events'],
  userId: string,
): Item<'orders'> => ({
  party: row.buyer_id === userId ? 'buyer' : 'seller',
  _id: row.id,
  bookingId: row.booking_id,
  productCode: row.laptop_id,
  productName: row.name,
  price: dollarsFromCents(row.price_cents),
  refunded: dollarsFromCents(row.refunded_cents),
  ...(row.seller_id === userId && { commission: dollarsFromCents(row.commission_cents) }),
  state: row.state,
  placedAt: iso(row.placed_at),
  releasedAt: isoOrNull(row.released_at),
  cancelReason: row.cancel_reason,
  events,
});

/** @param photoUrl makes the public URL of a stored photo */
export const statementItem = (
  row: WithLaptopName<'complaint_statements'> & Pick<Row<'complaints'>, 'order_id' | 'kind'>,
  photoUrl: (photo: string) => string,
): Item<'complaintStatements'> => ({
  orderId: row.order_id,
  productName: row.name,
  kind: row.kind,
  party: row.party,
  move: row.move,
  text: row.text,
  amount: row.amount_cents === null ? null : dollarsFromCents(row.amount_cents),
  photos: row.photos.map(photoUrl),
  saidAt: iso(row.said_at),
});

/** @param photoUrl makes the address of a stored photo */
export const messageItem = (
  row: WithLaptopName<'messages'>,
  photoUrl: (photo: string) => string,
): Item<'messages'> => ({
  conversationId: row.conversation_id,
  productName: row.name,
  text: row.text,
  photos: row.photos.map(photoUrl),
  sentAt: iso(row.sent_at),
});

export const meetingItem = (row: WithLaptopName<'meetings'>): Item<'meetings'> => ({
  productName: row.name,
  place: row.place,
  startsAt: iso(row.starts_at),
  state: row.state,
});

export const messageReportItem = (row: WithLaptopName<'message_reports'>): Item<'messageReports'> => ({
  productName: row.name,
  note: row.note,
  reportedAt: iso(row.reported_at),
  resolvedAt: isoOrNull(row.resolved_at),
});

export const reviewReportItem = (
  row: Row<'review_reports'> & { order_id: string },
): Item<'reviewReports'> => ({
  orderId: row.order_id,
  reason: row.reason,
  note: row.note,
  reportedAt: iso(row.reported_at),
  resolution: row.resolution,
});

export const refundItem = (row: Row<'refunds'>): Item<'refunds'> => ({
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  reason: row.reason,
  state: row.state,
  note: row.note,
  createdAt: iso(row.created_at),
  doneAt: isoOrNull(row.done_at),
});

export const settlementItem = (row: Row<'settlements'>): Item<'settlements'> => ({
  amount: dollarsFromCents(Number(row.amount_cents)),
  reference: row.reference,
  settledAt: iso(row.settled_at),
});

export const debtSettlementItem = (row: Row<'debt_settlements'>): Item<'debtSettlements'> => ({
  kind: row.kind,
  amount: dollarsFromCents(Number(row.amount_cents)),
  reference: row.reference,
  reason: row.reason,
  settledAt: iso(row.settled_at),
});

export const payoutAccountItem = (row: Row<'payout_accounts'>): Item<'payoutAccounts'> => ({
  country: row.country,
  accountId: row.account_id,
  state: row.state,
  holdUntil: isoOrNull(row.hold_until),
  createdAt: iso(row.created_at),
});

export const transferItem = (row: Row<'transfers'>): Item<'transfers'> => ({
  orderId: row.order_id,
  transferId: row.transfer_id,
  amount: dollarsFromCents(row.amount_cents),
  takenBack: dollarsFromCents(row.reversed_cents),
  state: row.state,
  createdAt: iso(row.created_at),
});

export const receiptItem = (row: Row<'receipts'>): Item<'receipts'> => ({
  number: row.receipt_number,
  kind: row.kind,
  productName: row.laptop_name,
  amount: dollarsFromCents(row.amount_cents),
  issuedAt: iso(row.issued_at),
});

export const disputeItem = (row: Row<'disputes'>): Item<'disputes'> => ({
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  reason: row.reason,
  state: row.state,
  openedAt: iso(row.opened_at),
  closedAt: isoOrNull(row.closed_at),
});

export const reportItem = (row: WithLaptopName<'reports'>): Item<'reports'> => ({
  productCode: row.laptop_id,
  productName: row.name,
  reason: row.reason,
  note: row.note,
  resolution: row.resolution,
  reportedAt: iso(row.created_at),
});

export const auditItem = (row: Row<'audit_entries'>): Item<'adminActs'> => ({
  act: row.act,
  subject: row.subject,
  note: row.note,
  at: iso(row.created_at),
});
