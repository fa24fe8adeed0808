import type { OwnData } from '#contract/accounts.ts';
import { dollarsFromCents } from '#contract/scalars.ts';
import type { Reader, UserRow } from '../database/tables.ts';

const moment = (date: Date) => date.toISOString();
const momentOrNull = (date: Date | null) => date?.toISOString() ?? null;

/** Said with the data, because it is kept where this call does not reach. */
const elsewhere = [
  'The sign-in is kept by the identity provider: your e-mail address, a hash of your password, your sessions with the kind of device, and what proves a second factor.',
  'Card numbers never reach this shop; the card processor keeps them and its record of each payment.',
  'Letters that were sent to you are kept by the mail server only as long as it takes to deliver them.',
];

/** What somebody has listed, booked, wished for, paid, reported and, as an admin, done. */
export async function ownData(
  reader: Reader,
  user: UserRow,
  shown: (photo: string) => string,
): Promise<OwnData> {
  const laptops = await reader
    .selectFrom('laptops')
    .selectAll()
    .where('seller_id', '=', user.id)
    .orderBy('number')
    .execute();
  const bookings = await reader
    .selectFrom('bookings')
    .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
    .selectAll('bookings')
    .select('laptops.name')
    .where('buyer_id', '=', user.id)
    .orderBy('bookings.number')
    .execute();
  const wishes = await reader
    .selectFrom('wishlist_items')
    .innerJoin('laptops', 'laptops.id', 'wishlist_items.laptop_id')
    .selectAll('wishlist_items')
    .select('laptops.name')
    .where('buyer_id', '=', user.id)
    .orderBy('wishlist_items.number')
    .execute();
  const attempts = await reader
    .selectFrom('payment_intents')
    .innerJoin('bookings', 'bookings.id', 'payment_intents.booking_id')
    .selectAll('payment_intents')
    .where('bookings.buyer_id', '=', user.id)
    .orderBy('payment_intents.created_at')
    .execute();
  const payments = await reader
    .selectFrom('payments')
    .innerJoin('bookings', 'bookings.id', 'payments.booking_id')
    .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
    .selectAll('payments')
    .select('bookings.buyer_id')
    .where((where) =>
      where.or([where('bookings.buyer_id', '=', user.id), where('laptops.seller_id', '=', user.id)]),
    )
    .orderBy('payments.paid_at')
    .execute();
  const refunds = await reader
    .selectFrom('refunds')
    .innerJoin('bookings', 'bookings.id', 'refunds.booking_id')
    .selectAll('refunds')
    .where('bookings.buyer_id', '=', user.id)
    .orderBy('refunds.created_at')
    .execute();
  const disputes = await reader
    .selectFrom('disputes')
    .innerJoin('bookings', 'bookings.id', 'disputes.booking_id')
    .selectAll('disputes')
    .where('bookings.buyer_id', '=', user.id)
    .orderBy('disputes.opened_at')
    .execute();
  const reports = await reader
    .selectFrom('reports')
    .innerJoin('laptops', 'laptops.id', 'reports.laptop_id')
    .selectAll('reports')
    .select('laptops.name')
    .where('reporter_id', '=', user.id)
    .orderBy('reports.number')
    .execute();
  const acts = await reader
    .selectFrom('audit_entries')
    .selectAll()
    .where('admin_id', '=', user.id)
    .orderBy('number')
    .execute();

  return {
    exportedAt: moment(new Date()),
    account: {
      _id: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
      verified: user.verified,
      createdAt: moment(user.created_at),
    },
    laptops: laptops.map((row) => ({
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
    })),
    bookings: bookings.map((row) => ({
      _id: row.id,
      productCode: row.laptop_id,
      productName: row.name,
      price: dollarsFromCents(row.price_cents),
      phone: row.phone,
      location: row.location,
      bookedAt: moment(row.booked_at),
      paidAt: momentOrNull(row.paid_at),
      transactionId: row.transaction_id,
    })),
    wishlist: wishes.map((row) => ({
      _id: row.id,
      productCode: row.laptop_id,
      productName: row.name,
      addedAt: moment(row.added_at),
    })),
    paymentAttempts: attempts.map((row) => ({
      bookingId: row.booking_id,
      transactionId: row.transaction_id,
      amount: dollarsFromCents(row.amount_cents),
      state: row.state,
      createdAt: moment(row.created_at),
    })),
    payments: payments.map((row) => ({
      party: row.buyer_id === user.id ? 'buyer' : 'seller',
      bookingId: row.booking_id,
      transactionId: row.transaction_id,
      amount: dollarsFromCents(row.amount_cents),
      paidAt: moment(row.paid_at),
    })),
    refunds: refunds.map((row) => ({
      bookingId: row.booking_id,
      transactionId: row.transaction_id,
      amount: dollarsFromCents(row.amount_cents),
      reason: row.reason,
      state: row.state,
      createdAt: moment(row.created_at),
      doneAt: momentOrNull(row.done_at),
    })),
    disputes: disputes.map((row) => ({
      bookingId: row.booking_id,
      transactionId: row.transaction_id,
      amount: dollarsFromCents(row.amount_cents),
      reason: row.reason,
      state: row.state,
      openedAt: moment(row.opened_at),
      closedAt: momentOrNull(row.closed_at),
    })),
    reports: reports.map((row) => ({
      productCode: row.laptop_id,
      productName: row.name,
      reason: row.reason,
      note: row.note,
      resolution: row.resolution,
      reportedAt: moment(row.created_at),
    })),
    adminActs: acts.map((row) => ({
      act: row.act,
      subject: row.subject,
      note: row.note,
      at: moment(row.created_at),
    })),
    elsewhere,
  };
}
