import type { OwnData } from '#contract/operations/privacy.ts';
import type { Database, UserRow } from '#server/platform/database/tables.ts';
import type { StreamedMembers } from '#server/platform/http/json-stream.ts';
import { timelinesOf } from '#server/sales/orders/steps.ts';
import * as items from './own-data-items.ts';
import { createOwnRows } from './own-rows.ts';
import { byId, byNumber, bySeller, byTopic, streamItems } from './stream-items.ts';

/** Personal data stored outside the shop's database. */
const elsewhere = [
  'The identity provider keeps your sign-in: your e-mail address, a hash of your password, your sessions with the type of device, and your second factors.',
  'Card numbers never reach this shop; the card processor keeps them and its record of each payment.',
  'The mail server keeps e-mails to you only until they are delivered.',
];

/** Streams the orders of a user, as a buyer and then as a seller, with their timelines. */
async function* streamOrders(database: Database, userId: string): AsyncGenerator<items.Item<'orders'>[]> {
  const own = createOwnRows(database, userId);
  for (const party of ['buyer_id', 'seller_id'] as const) {
    for await (const rows of own.byUserWithLaptop('orders', party, (row) => row)) {
      const timelines = await timelinesOf(
        database,
        rows.map(({ id }) => id),
      );
      yield rows.map((row) => items.orderItem(row, timelines.get(row.id) ?? [], userId));
    }
  }
}

/** Streams what a user has said about complaints. */
const streamStatements = (database: Database, userId: string, photoUrl: (photo: string) => string) =>
  streamItems(
    byNumber,
    (after) =>
      database
        .selectFrom('complaint_statements')
        .innerJoin('complaints', 'complaints.id', 'complaint_statements.complaint_id')
        .innerJoin('orders', 'orders.id', 'complaints.order_id')
        .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
        .selectAll('complaint_statements')
        .select(['laptops.name', 'complaints.order_id', 'complaints.kind'])
        .where('complaint_statements.author_id', '=', userId)
        .where('complaint_statements.number', '>', after)
        .orderBy('complaint_statements.number'),
    (row) => items.statementItem(row, photoUrl),
  );

/** Streams a user's answers to reviews. */
const streamReviewAnswers = (database: Database, userId: string) =>
  streamItems(
    byNumber,
    (after) =>
      database
        .selectFrom('reviews')
        .selectAll()
        .where('subject_id', '=', userId)
        .where('answer', 'is not', null)
        .where('number', '>', after)
        .orderBy('number'),
    items.reviewAnswerItem,
  );

/** Streams a user's reports of reviews. */
const streamReviewReports = (database: Database, userId: string) =>
  streamItems(
    byNumber,
    (after) =>
      database
        .selectFrom('review_reports')
        .innerJoin('reviews', 'reviews.id', 'review_reports.review_id')
        .selectAll('review_reports')
        .select('reviews.order_id')
        .where('review_reports.reporter_id', '=', userId)
        .where('review_reports.number', '>', after)
        .orderBy('review_reports.number'),
    items.reviewReportItem,
  );

/**
 * Streams all that the shop stores about a user: the account, codes for telephone numbers, laptops with their certificates, bookings, wishlist, saved searches,
 * notifications, messages, payments, reports and admin actions. One list in the order of the contract's schema, so that a missing
 * part is seen.
 */
export function streamOwnData(
  database: Database,
  user: UserRow,
  photoUrl: (photo: string) => string,
): StreamedMembers<OwnData> {
  const own = createOwnRows(database, user.id);

  async function* payments(): AsyncGenerator<items.Item<'payments'>[]> {
    for (const party of ['buyer', 'seller'] as const) {
      yield* own.byBooking(party, ['payments', 'paid_at'], (row) => items.paymentItem(row, party));
    }
  }

  return {
    exportedAt: new Date().toISOString(),
    account: items.accountItem(user),
    waitingNames: own.byUser('waiting_names', ['user_id', byNumber], items.waitingNameItem),
    phoneCodes: own.byUser('phone_codes', ['user_id', byNumber], items.phoneCodeItem),
    laptops: own.byUser('laptops', ['seller_id', byId], (row) => items.laptopItem(row, photoUrl)),
    measurements: own.byLaptop('measurements', items.measurementItem),
    inspections: own.byLaptop('inspections', (row) => items.inspectionItem(row, photoUrl)),
    drafts: own.byUser('laptop_drafts', ['seller_id', byNumber], items.draftItem),
    browserChecks: own.byLaptop('browser_checks', items.browserCheckItem),
    certificates: own.byLaptop('certificate_versions', items.certificateItem),
    bookings: own.byUserWithLaptop('bookings', 'buyer_id', items.bookingItem),
    wishlist: own.byUserWithLaptop('wishlist_items', 'buyer_id', items.wishlistItem),
    savedSearches: own.byUser('saved_searches', ['user_id', byId], items.savedSearchItem),
    notifications: own.byUser('notifications', ['user_id', byNumber], items.notificationItem),
    notificationSettings: own.byUser(
      'notification_settings',
      ['user_id', byTopic],
      items.notificationSettingItem,
    ),
    pushSubscriptions: own.byUser('push_subscriptions', ['user_id', byId], items.pushSubscriptionItem),
    orders: streamOrders(database, user.id),
    complaintStatements: streamStatements(database, user.id, photoUrl),
    reviews: own.byUser('reviews', ['author_id', byNumber], items.reviewItem),
    reviewAnswers: streamReviewAnswers(database, user.id),
    messages: own.byUserInConversations('messages', 'sender_id', (row) => items.messageItem(row, photoUrl)),
    meetings: own.byUserInConversations('meetings', 'proposer_id', items.meetingItem),
    messageReports: own.byUserInConversations('message_reports', 'reporter_id', items.messageReportItem),
    reviewReports: streamReviewReports(database, user.id),
    paymentAttempts: own.byBooking('buyer', ['payment_intents', 'created_at'], items.attemptItem),
    payments: payments(),
    refunds: own.byBooking('buyer', ['refunds', 'created_at'], items.refundItem),
    settlements: own.byUser('settlements', ['seller_id', byNumber], items.settlementItem),
    debtSettlements: own.byUser('debt_settlements', ['seller_id', byNumber], items.debtSettlementItem),
    payoutAccounts: own.byUser('payout_accounts', ['seller_id', bySeller], items.payoutAccountItem),
    transfers: own.byUser('transfers', ['seller_id', byId], items.transferItem),
    disputes: own.byBooking('buyer', ['disputes', 'opened_at'], items.disputeItem),
    receipts: own.byUser('receipts', ['recipient_id', byNumber], items.receiptItem),
    reports: own.byUserWithLaptop('reports', 'reporter_id', items.reportItem),
    adminActs: own.byUser('audit_entries', ['admin_id', byId], items.auditItem),
    elsewhere,
  };
}
