import type { Selectable } from 'kysely';
import type { OwnData } from '#contract/privacy.ts';
import { dollarsFromCents } from '#contract/scalars.ts';
import type {
  AuditEntriesTable,
  BookingsTable,
  DisputesTable,
  LaptopsTable,
  PaymentIntentsTable,
  PaymentsTable,
  RefundsTable,
  ReportsTable,
  UserRow,
  WishlistItemsTable,
} from '../database/tables.ts';

// How the rows of a person are answered to that person.

/** One item of a list in a person's own data. */
export type Item<Name extends keyof OwnData> = OwnData[Name] extends readonly (infer Each)[] ? Each : never;

/** A row with the name of its laptop. */
type Named<Table> = Selectable<Table> & { name: string };

const moment = (date: Date) => date.toISOString();
const momentOrNull = (date: Date | null) => date?.toISOString() ?? null;

export const accountItem = (user: UserRow): OwnData['account'] => ({
  _id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  verified: user.verified,
  emailVerified: user.email_verified,
  createdAt: moment(user.created_at),
});

/** @param shown makes the URL of a stored photo */
export const laptopItem = (
  row: Selectable<LaptopsTable>,
  shown: (photo: string) => string,
): Item<'laptops'> => ({
  _id: row.id,
  name: row.name,
  category_Id: row.brand,
  location: row.location,
  images: row.images.map(shown),
  description: row.description,
  original_price: dollarsFromCents(row.original_price_cents),
  resale_price: dollarsFromCents(row.resale_price_cents),
  posted_time: row.posted_time,
  use_time: row.use_time,
  mobile_number: row.mobile_number,
  condition: row.condition,
  state: row.state,
  takenDownNote: row.taken_down_note,
  advertisedAt: momentOrNull(row.advertised_at),
  listedAt: moment(row.created_at),
});

export const bookingItem = (row: Named<BookingsTable>): Item<'bookings'> => ({
  _id: row.id,
  productCode: row.laptop_id,
  productName: row.name,
  price: dollarsFromCents(row.price_cents),
  phone: row.phone,
  location: row.location,
  bookedAt: moment(row.booked_at),
  paidAt: momentOrNull(row.paid_at),
  transactionId: row.transaction_id,
});

export const wishItem = (row: Named<WishlistItemsTable>): Item<'wishlist'> => ({
  _id: row.id,
  productCode: row.laptop_id,
  productName: row.name,
  addedAt: moment(row.added_at),
});

export const attemptItem = (row: Selectable<PaymentIntentsTable>): Item<'paymentAttempts'> => ({
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  state: row.state,
  createdAt: moment(row.created_at),
});

/** @param party what the person was in the sale */
export const paymentItem = (row: Selectable<PaymentsTable>, party: 'buyer' | 'seller'): Item<'payments'> => ({
  party,
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  paidAt: moment(row.paid_at),
});

export const refundItem = (row: Selectable<RefundsTable>): Item<'refunds'> => ({
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  reason: row.reason,
  state: row.state,
  createdAt: moment(row.created_at),
  doneAt: momentOrNull(row.done_at),
});

export const disputeItem = (row: Selectable<DisputesTable>): Item<'disputes'> => ({
  bookingId: row.booking_id,
  transactionId: row.transaction_id,
  amount: dollarsFromCents(row.amount_cents),
  reason: row.reason,
  state: row.state,
  openedAt: moment(row.opened_at),
  closedAt: momentOrNull(row.closed_at),
});

export const reportItem = (row: Named<ReportsTable>): Item<'reports'> => ({
  productCode: row.laptop_id,
  productName: row.name,
  reason: row.reason,
  note: row.note,
  resolution: row.resolution,
  reportedAt: moment(row.created_at),
});

export const actItem = (row: Selectable<AuditEntriesTable>): Item<'adminActs'> => ({
  act: row.act,
  subject: row.subject,
  note: row.note,
  at: moment(row.created_at),
});
