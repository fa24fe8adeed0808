import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  Kysely,
  Transaction as KyselyTransaction,
  Selectable,
} from 'kysely';
import type { AuditAction } from '#contract/audit.ts';
import type { ReportReason } from '#contract/reports.ts';

/** Money in every table: integer US cents. */
type Cents = number;
/** Grows with each row; what lists are ordered and paged by. As text, because it may pass 2^53. */
type RowNumber = GeneratedAlways<string>;
type CreatedAt = ColumnType<Date, never, never>;

/** Owned by accounts. */
export interface UsersTable {
  id: Generated<string>;
  number: RowNumber;
  email: string;
  name: string;
  role: 'Buyer' | 'Seller' | 'Admin';
  /** Whether an admin has verified this seller. */
  verified: Generated<boolean>;
  /** Whether the identity provider says that the person receives mail at `email`. */
  email_verified: Generated<boolean>;
  created_at: CreatedAt;
  ended_at: Date | null;
}

/** Owned by photos: the photos of the built-in image host. One without a row was uploaded before this table existed. */
export interface PhotosTable {
  /** Of the uploaded bytes, in hexadecimal digits. */
  hash: string;
  /** `waiting` for a laptop, `listed` by one, `leaving` while its files are removed, `gone`. */
  state: Generated<'waiting' | 'listed' | 'leaving' | 'gone'>;
  since: Generated<Date>;
}

/** Owned by catalogue. */
export interface BrandsTable {
  id: Generated<string>;
  category_id: string;
  image: string;
  position: number;
}

/** Owned by catalogue. */
export interface LaptopsTable {
  id: Generated<string>;
  number: RowNumber;
  brand: string;
  seller_id: string;
  name: string;
  location: string;
  images: string[];
  description: ColumnType<string | Record<string, string>, string, never>;
  original_price_cents: Cents;
  resale_price_cents: Cents;
  posted_time: string;
  use_time: string;
  mobile_number: string;
  condition: 'Excellent' | 'Good' | 'Fair';
  state: Generated<'available' | 'sold' | 'withdrawn' | 'taken_down'>;
  /** The buyer; not null exactly when it is sold. */
  sold_to_id: string | null;
  /** What the admin wrote to the seller; not null exactly when it is taken down. */
  taken_down_note: string | null;
  advertised_at: Date | null;
  created_at: CreatedAt;
}

/**
 * Owned by catalogue: which laptop shows which photo of the built-in host. Triggers derive it from `laptops.images`, so
 * it is only read.
 */
export interface LaptopPhotosTable {
  laptop_id: ColumnType<string, never, never>;
  /** In `laptops.images`, from 1. */
  position: ColumnType<number, never, never>;
  photo_hash: ColumnType<string, never, never>;
}

/** Owned by wishlist. */
export interface WishlistItemsTable {
  id: Generated<string>;
  number: RowNumber;
  buyer_id: string;
  laptop_id: string;
  added_at: CreatedAt;
}

/** Owned by bookings. */
export interface BookingsTable {
  id: Generated<string>;
  number: RowNumber;
  laptop_id: string;
  buyer_id: string;
  /** The laptop's; filled in by a trigger. */
  seller_id: ColumnType<string, never, never>;
  price_cents: Cents;
  phone: string;
  location: string;
  booked_at: CreatedAt;
  /** Not null exactly when it is paid. */
  paid_at: Date | null;
  /** What the card provider calls the payment; not null exactly when it is paid. */
  transaction_id: string | null;
}

/** Owned by bookings: who may pay for a laptop right now. */
export interface HoldsTable {
  laptop_id: string;
  booking_id: string;
  /** Filled in by a trigger. */
  buyer_id: ColumnType<string, never, never>;
  /** From when the 20 minutes in all count: earlier than the hold itself when the buyer has held the laptop before. */
  started_at: Date;
  expires_at: Date;
}

/** Owned by bookings: how long a booking's buyer has held the laptop before its present hold. */
export interface HoldUsesTable {
  booking_id: string;
  used_ms: number;
  ended_at: Date;
}

/** Owned by bookings: the place in line of a buyer who waits for the hold on a laptop. */
export interface HoldWaitsTable {
  booking_id: string;
  laptop_id: string;
  buyer_id: string;
  number: GeneratedAlways<string>;
  /** When the place lapses unless the buyer asks again. */
  expires_at: Date;
}

/** Owned by payments: one attempt at paying a booking. */
export interface PaymentIntentsTable {
  id: Generated<string>;
  booking_id: string;
  amount_cents: Cents;
  transaction_id: string | null;
  state: Generated<'open' | 'settled' | 'refunded' | 'closed'>;
  created_at: CreatedAt;
  /** When the card processor is asked about it again, should nothing be heard of it. */
  next_check_at: Generated<Date>;
}

/** Owned by payments. */
export interface PaymentsTable {
  id: Generated<string>;
  booking_id: string;
  transaction_id: string;
  amount_cents: Cents;
  paid_at: CreatedAt;
}

/** Owned by payments: money to be given back. */
export interface RefundsTable {
  id: Generated<string>;
  booking_id: string;
  transaction_id: string;
  amount_cents: Cents;
  reason: 'sold_to_another' | 'left_the_shop' | 'paid_twice' | 'wrong_amount';
  /** `done` can still become `failed`: what the card provider had sent is with the shop again. */
  state: Generated<'pending' | 'done' | 'failed'>;
  created_at: CreatedAt;
  done_at: Date | null;
  /** Grows each time that it is tried again; each has a key of its own at the card provider. */
  attempt: Generated<number>;
  /** What the card provider calls the refund of this attempt, once it is known. */
  card_refund_id: string | null;
  /** Not null exactly when it has failed. */
  failed_at: Date | null;
  /** In the card provider's word for it; not null exactly when it has failed. */
  failure_reason: string | null;
  /** When the card provider is asked about it again, should nothing be heard of it; null for never. */
  next_check_at: Generated<Date | null>;
}

/** Owned by payments: what buyers dispute at their banks. The sale stays as it is. */
export interface DisputesTable {
  id: Generated<string>;
  /** What the card provider calls it. */
  card_dispute_id: string;
  booking_id: string;
  transaction_id: string;
  amount_cents: Cents;
  /** In the card provider's word for it, such as `fraudulent`. */
  reason: string;
  /** Until when the shop can answer; null when it cannot. */
  evidence_due_at: Date | null;
  /** `open`: from before inquiries were told from chargebacks. */
  state: Generated<'open' | 'inquiry' | 'inquiry_closed' | 'chargeback' | 'won' | 'lost'>;
  opened_at: CreatedAt;
  /** Not null exactly when it is not open any more. */
  closed_at: Date | null;
  /** When the card provider is asked about it again, should nothing be heard of it. */
  next_check_at: Generated<Date>;
}

/** Owned by payments: what the card processor told us, once per event. */
export interface WebhookEventsTable {
  id: string;
  type: string;
  transaction_id: string | null;
  received_at: CreatedAt;
}

/** Owned by moderation. */
export interface ReportsTable {
  id: Generated<string>;
  number: RowNumber;
  laptop_id: string;
  reporter_id: string;
  reason: ReportReason;
  note: string;
  resolution: 'dismissed' | 'taken_down' | null;
  created_at: CreatedAt;
}

/** Owned by moderation: a summary of a laptop's reports, kept by triggers on them. */
export interface ReportedLaptopsTable {
  laptop_id: ColumnType<string, never, never>;
  reports: ColumnType<number, never, never>;
  open_reports: ColumnType<number, never, never>;
  has_open: ColumnType<boolean, never, never>;
  /** The number of the latest report. */
  latest: ColumnType<string, never, never>;
}

/** Owned by moderation; rows are only ever added. */
export interface AuditEntriesTable {
  id: Generated<string>;
  number: RowNumber;
  /** Null for what was done from the command line. */
  admin_id: string | null;
  act: AuditAction;
  laptop_id: string | null;
  subject: string;
  note: string;
  created_at: CreatedAt;
}

/** Owned by payments: who paid and who was paid, of accounts that their people have ended. No call reads it. */
export interface BookkeepingTable {
  transaction_id: string;
  party: 'buyer' | 'seller';
  name: string;
  email: string;
  kept_at: CreatedAt;
}

/** Owned by http: who has used up how much of an allowance. */
export interface RateLimitsTable {
  key: string;
  empty_at: Date;
}

/** Owned by http: answers that a retry with the same key gets again. */
export interface IdempotencyKeysTable {
  user_id: string;
  key: string;
  /** SHA-256 of the call and its input, in hexadecimal digits. */
  fingerprint: string;
  /** JSON as it was sent. */
  answer: string;
  expires_at: Date;
}

export interface EndedSessionsTable {
  /** The identity provider's name for the sign-in: `sid` of its tokens. */
  id: string;
  forget_at: Date;
}

export interface ErasedAddressesTable {
  /** SHA-256 of the address in lower case, in hexadecimal. */
  email_sha256: string;
  erased_at: Date;
  forget_at: Date;
}

export interface Tables {
  users: UsersTable;
  ended_sessions: EndedSessionsTable;
  erased_addresses: ErasedAddressesTable;
  photos: PhotosTable;
  brands: BrandsTable;
  laptops: LaptopsTable;
  laptop_photos: LaptopPhotosTable;
  wishlist_items: WishlistItemsTable;
  bookings: BookingsTable;
  holds: HoldsTable;
  hold_uses: HoldUsesTable;
  hold_waits: HoldWaitsTable;
  payment_intents: PaymentIntentsTable;
  payments: PaymentsTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  webhook_events: WebhookEventsTable;
  reports: ReportsTable;
  reported_laptops: ReportedLaptopsTable;
  audit_entries: AuditEntriesTable;
  rate_limits: RateLimitsTable;
  idempotency_keys: IdempotencyKeysTable;
  bookkeeping: BookkeepingTable;
}

export type Database = Kysely<Tables>;
/** Demanded by type wherever something locks, so that a lock cannot be taken outside a transaction. */
export type Transaction = KyselyTransaction<Tables>;
/** For reads that are right inside a transaction and outside one. */
export type Reader = Database | Transaction;

export type UserRow = Selectable<UsersTable>;
