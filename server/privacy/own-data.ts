// Longer than other files: the one list of everything that is stored about a user.

import { sql } from 'kysely';
import type { OwnData } from '#contract/privacy.ts';
import type { Database, Row, Tables, UserRow } from '../database/tables.ts';
import type { StreamedMembers } from '../http/json-stream.ts';
import { timelinesOf } from '../orders/steps.ts';
import * as items from './own-data-items.ts';
import { byId, byNumber, streamItems } from './stream-items.ts';

// One list of all that the shop stores about a user, in the order of the contract's schema, so that a missing part is seen. This
// makes the file longer than others.

/** The tables whose rows belong to a booking. */
type BookingTable = 'payment_intents' | 'payments' | 'refunds' | 'disputes';

/** The tables whose rows belong to a laptop. */
type LaptopTable = 'measurements' | 'inspections' | 'browser_checks' | 'certificate_versions';

/** Personal data stored outside the shop's database. */
const elsewhere = [
  'The identity provider keeps your sign-in: your e-mail address, a hash of your password, your sessions with the type of device, and your second factors.',
  'Card numbers never reach this shop; the card processor keeps them and its record of each payment.',
  'The mail server keeps e-mails to you only until they are delivered.',
];

/** Streams a user's account, codes for telephone numbers, laptops with their certificates, bookings, wishlist, saved searches, notifications, payments, reports and admin actions. */
export function streamOwnData(
  database: Database,
  user: UserRow,
  photoUrl: (photo: string) => string,
): StreamedMembers<OwnData> {
  /** The ids of the user's bookings as a buyer, or paid bookings as a seller, oldest first. */
  const bookingIds = (party: 'buyer' | 'seller') =>
    streamItems(
      byNumber,
      (after) => {
        const rows = database
          .selectFrom('bookings')
          .select(['id', 'number'])
          .where('number', '>', after)
          .orderBy('number');
        return party === 'buyer'
          ? rows.where('buyer_id', '=', user.id)
          : rows.where('seller_id', '=', user.id).where('paid_at', 'is not', null);
      },
      ({ id }) => id,
    );

  /** Streams the rows of a table that belong to the user's bookings, ordered by a time. */
  async function* ofBookings<Name extends BookingTable, Item>(
    party: 'buyer' | 'seller',
    [table, time]: readonly [table: Name, time: keyof Tables[Name] & string],
    toItem: (row: Row<Name>) => Item,
  ): AsyncGenerator<Item[]> {
    for await (const ids of bookingIds(party)) {
      const { rows } = await sql<Row<Name>>`
        select * from ${sql.table(table)} where booking_id = any(${ids}::uuid[])
         order by ${sql.ref(time)}`.execute(database);
      yield rows.map(toItem);
    }
  }

  /** Streams the rows of a table that belong to the user's laptops, laptop by laptop, with the laptop's name. */
  async function* ofLaptops<Name extends LaptopTable, Item>(
    table: Name,
    toItem: (row: Row<Name> & { name: string }) => Item,
  ): AsyncGenerator<Item[]> {
    const laptops = streamItems(
      byId,
      (after) =>
        database
          .selectFrom('laptops')
          .select('id')
          .where('seller_id', '=', user.id)
          .where('id', '>', after)
          .orderBy('id'),
      ({ id }) => id,
    );
    for await (const ids of laptops) {
      const { rows } = await sql<Row<Name> & { name: string }>`
        select ${sql.table(table)}.*, laptops.name from ${sql.table(table)} join laptops on laptops.id = laptop_id
         where laptop_id = any(${ids}::uuid[]) order by ${sql.ref(`${table}.number`)}`.execute(database);
      yield rows.map(toItem);
    }
  }

  async function* orders(): AsyncGenerator<items.Item<'orders'>[]> {
    for (const party of ['buyer_id', 'seller_id'] as const) {
      const pages = streamItems(
        byNumber,
        (after) =>
          database
            .selectFrom('orders')
            .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
            .selectAll('orders')
            .select('laptops.name')
            .where(`orders.${party}`, '=', user.id)
            .where('orders.number', '>', after)
            .orderBy('orders.number'),
        (row) => row,
      );
      for await (const rows of pages) {
        const timelines = await timelinesOf(
          database,
          rows.map(({ id }) => id),
        );
        yield rows.map((row) => items.orderItem(row, timelines.get(row.id) ?? [], user.id));
      }
    }
  }

  async function* payments(): AsyncGenerator<items.Item<'payments'>[]> {
    for (const party of ['buyer', 'seller'] as const) {
      yield* ofBookings(party, ['payments', 'paid_at'], (row) => items.paymentItem(row, party));
    }
  }

  return {
    exportedAt: new Date().toISOString(),
    account: items.accountItem(user),
    phoneCodes: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('phone_codes')
          .selectAll()
          .where('user_id', '=', user.id)
          .where('number', '>', after)
          .orderBy('number'),
      items.phoneCodeItem,
    ),
    laptops: streamItems(
      byId,
      (after) =>
        database
          .selectFrom('laptops')
          .selectAll()
          .where('seller_id', '=', user.id)
          .where('id', '>', after)
          .orderBy('id'),
      (row) => items.laptopItem(row, photoUrl),
    ),
    measurements: ofLaptops('measurements', items.measurementItem),
    inspections: ofLaptops('inspections', (row) => items.inspectionItem(row, photoUrl)),
    drafts: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('laptop_drafts')
          .selectAll()
          .where('seller_id', '=', user.id)
          .where('number', '>', after)
          .orderBy('number'),
      items.draftItem,
    ),
    browserChecks: ofLaptops('browser_checks', items.browserCheckItem),
    certificates: ofLaptops('certificate_versions', items.certificateItem),
    bookings: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('bookings')
          .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
          .selectAll('bookings')
          .select('laptops.name')
          .where('bookings.buyer_id', '=', user.id)
          .where('bookings.number', '>', after)
          .orderBy('bookings.number'),
      items.bookingItem,
    ),
    wishlist: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('wishlist_items')
          .innerJoin('laptops', 'laptops.id', 'wishlist_items.laptop_id')
          .selectAll('wishlist_items')
          .select('laptops.name')
          .where('wishlist_items.buyer_id', '=', user.id)
          .where('wishlist_items.number', '>', after)
          .orderBy('wishlist_items.number'),
      items.wishlistItem,
    ),
    savedSearches: streamItems(
      byId,
      (after) =>
        database
          .selectFrom('saved_searches')
          .selectAll()
          .where('user_id', '=', user.id)
          .where('id', '>', after)
          .orderBy('id'),
      items.savedSearchItem,
    ),
    notifications: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('notifications')
          .selectAll()
          .where('user_id', '=', user.id)
          .where('number', '>', after)
          .orderBy('number'),
      items.notificationItem,
    ),
    notificationSettings: streamItems(
      { first: '', keyOf: ({ topic }) => topic },
      (after) =>
        database
          .selectFrom('notification_settings')
          .selectAll()
          .where('user_id', '=', user.id)
          .where(sql<string>`topic`, '>', after)
          .orderBy('topic'),
      items.notificationSettingItem,
    ),
    pushSubscriptions: streamItems(
      byId,
      (after) =>
        database
          .selectFrom('push_subscriptions')
          .selectAll()
          .where('user_id', '=', user.id)
          .where('id', '>', after)
          .orderBy('id'),
      items.pushSubscriptionItem,
    ),
    orders: orders(),
    complaintStatements: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('complaint_statements')
          .innerJoin('complaints', 'complaints.id', 'complaint_statements.complaint_id')
          .innerJoin('orders', 'orders.id', 'complaints.order_id')
          .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
          .selectAll('complaint_statements')
          .select(['laptops.name', 'complaints.order_id', 'complaints.kind'])
          .where('complaint_statements.author_id', '=', user.id)
          .where('complaint_statements.number', '>', after)
          .orderBy('complaint_statements.number'),
      (row) => items.statementItem(row, photoUrl),
    ),
    reviews: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('reviews')
          .selectAll()
          .where('author_id', '=', user.id)
          .where('number', '>', after)
          .orderBy('number'),
      items.reviewItem,
    ),
    reviewAnswers: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('reviews')
          .selectAll()
          .where('subject_id', '=', user.id)
          .where('answer', 'is not', null)
          .where('number', '>', after)
          .orderBy('number'),
      items.reviewAnswerItem,
    ),
    messages: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('messages')
          .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
          .innerJoin('laptops', 'laptops.id', 'conversations.laptop_id')
          .selectAll('messages')
          .select('laptops.name')
          .where('messages.sender_id', '=', user.id)
          .where('messages.number', '>', after)
          .orderBy('messages.number'),
      (row) => items.messageItem(row, photoUrl),
    ),
    meetings: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('meetings')
          .innerJoin('conversations', 'conversations.id', 'meetings.conversation_id')
          .innerJoin('laptops', 'laptops.id', 'conversations.laptop_id')
          .selectAll('meetings')
          .select('laptops.name')
          .where('meetings.proposer_id', '=', user.id)
          .where('meetings.number', '>', after)
          .orderBy('meetings.number'),
      items.meetingItem,
    ),
    messageReports: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('message_reports')
          .innerJoin('conversations', 'conversations.id', 'message_reports.conversation_id')
          .innerJoin('laptops', 'laptops.id', 'conversations.laptop_id')
          .selectAll('message_reports')
          .select('laptops.name')
          .where('message_reports.reporter_id', '=', user.id)
          .where('message_reports.number', '>', after)
          .orderBy('message_reports.number'),
      items.messageReportItem,
    ),
    paymentAttempts: ofBookings('buyer', ['payment_intents', 'created_at'], items.attemptItem),
    payments: payments(),
    refunds: ofBookings('buyer', ['refunds', 'created_at'], items.refundItem),
    settlements: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('settlements')
          .selectAll()
          .where('seller_id', '=', user.id)
          .where('number', '>', after)
          .orderBy('number'),
      items.settlementItem,
    ),
    payoutAccounts: streamItems(
      { first: byId.first, keyOf: ({ seller_id }) => seller_id },
      (after) =>
        database
          .selectFrom('payout_accounts')
          .selectAll()
          .where('seller_id', '=', user.id)
          .where('seller_id', '>', after),
      items.payoutAccountItem,
    ),
    transfers: streamItems(
      byId,
      (after) =>
        database
          .selectFrom('transfers')
          .selectAll()
          .where('seller_id', '=', user.id)
          .where('id', '>', after)
          .orderBy('id'),
      items.transferItem,
    ),
    disputes: ofBookings('buyer', ['disputes', 'opened_at'], items.disputeItem),
    receipts: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('receipts')
          .selectAll()
          .where('recipient_id', '=', user.id)
          .where('number', '>', after)
          .orderBy('number'),
      items.receiptItem,
    ),
    reports: streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('reports')
          .innerJoin('laptops', 'laptops.id', 'reports.laptop_id')
          .selectAll('reports')
          .select('laptops.name')
          .where('reports.reporter_id', '=', user.id)
          .where('reports.number', '>', after)
          .orderBy('reports.number'),
      items.reportItem,
    ),
    adminActs: streamItems(
      byId,
      (after) =>
        database
          .selectFrom('audit_entries')
          .selectAll()
          .where('admin_id', '=', user.id)
          .where('id', '>', after)
          .orderBy('id'),
      items.auditItem,
    ),
    elsewhere,
  };
}
