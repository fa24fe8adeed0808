import type { OwnData } from '#contract/operations/privacy.ts';
import { byPhotoUrl } from '#server/listings/catalogue/steps.ts';
import type { Database, UserRow } from '#server/platform/database/tables.ts';
import type { StreamedMembers } from '#server/platform/http/json-stream.ts';
import { timelinesOf } from '#server/sales/orders/steps.ts';
import { createOwnRows } from './own-rows.ts';
import { byId, byNumber, byPayout, bySeller, byTopic, streamItems } from './stream-items.ts';

/** Personal data stored outside the shop's database. */
const elsewhere = [
  'The identity provider keeps your sign-in: your e-mail address, a hash of your password, your sessions with the type of device, and your second factors.',
  'Card numbers never reach this shop; the card processor keeps them and its record of each payment. It has your name, e-mail address and telephone number as those of a customer from your first payment until your account ends.',
  'The aggregator through which the shop buys labels keeps the addresses and labels of parcels, as its law requires.',
  'The mail server keeps e-mails to you only until they are delivered.',
];

/**
 * Columns that are in nobody's export: ids, words and photos of other people, what protects the account, and the shop's own counters. A
 * column that is in no such list is exported.
 */
const withheld: ReadonlySet<string> = new Set([
  ...['user_id', 'buyer_id', 'seller_id', 'admin_id', 'inspector_id', 'author_id', 'subject_id', 'sender_id'],
  ...[
    'proposer_id',
    'reporter_id',
    'recipient_id',
    'removed_by_id',
    'quoted_id',
    'other_laptop_id',
    'other_photo',
  ],
  ...['handover_code', 'wrong_codes', 'codes_locked_until', 'p256dh', 'auth', 'session_id', 'code_ending'],
  ...['code_sha256', 'check_code_sha256', 'content_sha256', 'filters_sha256', 'machine_hash', 'part_hashes'],
  ...['number', 'changed_in', 'facts_version', 'known_since', 'next_check_at', 'digest_id', 'waiting'],
]);

/** A row by the names of its columns; `laptop_name` where the row itself names no laptop. */
type StoredRow = OwnData['account'];

/** Makes the items of the export. @param photoUrl makes the public URL of a stored photo */
const createToItem =
  (photoUrl: (photo: string) => string) =>
  (row: object, { without = [], ...more }: StoredRow & { without?: readonly string[] } = {}): StoredRow => {
    const item: StoredRow = {};
    const photosOf = (photos: unknown) => (Array.isArray(photos) ? photos.map(String) : []);
    const stored: StoredRow = { ...row };
    for (const [column, value] of Object.entries(stored)) {
      if (withheld.has(column) || without.includes(column)) continue;
      if (column === 'images' || column === 'photos') item[column] = photosOf(value).map(photoUrl);
      else if (column === 'photo_captions' || column === 'photo_kinds')
        item[column] = byPhotoUrl(photosOf(stored.images), Object(value), photoUrl) ?? {};
      else item[column] = value;
    }
    return { ...item, ...more };
  };

/**
 * Streams all that the shop stores about a user, as it is stored: one list for each kind of rows, in the order of the contract's schema, so
 * that a missing one is seen.
 */
export function streamOwnData(
  database: Database,
  user: UserRow,
  photoUrl: (photo: string) => string,
): StreamedMembers<OwnData> {
  const own = createOwnRows(database, user.id);
  const toItem = createToItem(photoUrl);
  const item = (row: object) => toItem(row);

  async function* payments(): AsyncGenerator<StoredRow[]> {
    for (const party of ['buyer', 'seller'] as const) {
      yield* own.byBooking(party, ['payments', 'paid_at'], (row) => toItem(row, { party }));
    }
  }

  /** As a buyer and then as a seller, with their timelines. Only the seller learns the shop's commission. */
  async function* orders(): AsyncGenerator<StoredRow[]> {
    for (const party of ['buyer', 'seller'] as const) {
      for await (const rows of own.byUserWithLaptop('orders', `${party}_id`, (row) => row)) {
        const ids = rows.map(({ id }) => id);
        const timelines = await timelinesOf(database, ids);
        const without = party === 'buyer' ? ['commission_cents'] : [];
        yield rows.map((row) => toItem(row, { without, party, events: timelines.get(row.id) ?? [] }));
      }
    }
  }

  /** By the orders: by their own numbers, PostgreSQL would read those of everybody. */
  async function* parcels(): AsyncGenerator<StoredRow[]> {
    for (const party of ['buyer', 'seller'] as const) {
      for await (const rows of own.byUserWithLaptop('orders', `${party}_id`, (row) => row)) {
        const ids = rows.map(({ id }) => id);
        const sent = database.selectFrom('parcels').selectAll().where('order_id', 'in', ids);
        yield (await sent.orderBy('number').execute()).map(item);
      }
    }
  }

  /** Of sales as a seller, and of returns as a buyer. */
  async function* labels(): AsyncGenerator<StoredRow[]> {
    for (const [party, way] of [
      ['buyer', 'back'],
      ['seller', 'out'],
    ] as const) {
      for await (const rows of own.byUserWithLaptop('orders', `${party}_id`, (row) => row)) {
        const ids = rows.map(({ id }) => id);
        const bought = database.selectFrom('labels').selectAll().where('order_id', 'in', ids);
        yield (await bought.where('way', '=', way).orderBy('number').execute()).map(item);
      }
    }
  }

  async function* packingPhotos(): AsyncGenerator<StoredRow[]> {
    for await (const rows of own.byUserWithLaptop('orders', 'seller_id', (row) => row)) {
      const ids = rows.map(({ id }) => id);
      const added = database.selectFrom('packing_photos').select(['order_id', 'photo', 'added_at']);
      const photos = await added.where('order_id', 'in', ids).orderBy('number').execute();
      yield photos.map((row) => toItem(row, { photo: photoUrl(row.photo) }));
    }
  }

  const complaintStatements = () =>
    streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('complaint_statements')
          .innerJoin('complaints', 'complaints.id', 'complaint_statements.complaint_id')
          .innerJoin('orders', 'orders.id', 'complaints.order_id')
          .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
          .selectAll('complaint_statements')
          .select(['laptops.name as laptop_name', 'complaints.order_id', 'complaints.kind'])
          .where('complaint_statements.author_id', '=', user.id)
          .where('complaint_statements.number', '>', after)
          .orderBy('complaint_statements.number'),
      item,
    );

  const reviewAnswers = () =>
    streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('reviews')
          .select(['number', 'order_id', 'answer', 'answered_at'])
          .where('subject_id', '=', user.id)
          .where('answer', 'is not', null)
          .where('number', '>', after)
          .orderBy('number'),
      item,
    );

  const reviewReports = () =>
    streamItems(
      byNumber,
      (after) =>
        database
          .selectFrom('review_reports')
          .innerJoin('reviews', 'reviews.id', 'review_reports.review_id')
          .selectAll('review_reports')
          .select('reviews.order_id')
          .where('review_reports.reporter_id', '=', user.id)
          .where('review_reports.number', '>', after)
          .orderBy('review_reports.number'),
      item,
    );

  return {
    exportedAt: new Date().toISOString(),
    account: toItem(user),
    waitingNames: own.byUser('waiting_names', ['user_id', byNumber], item),
    phoneCodes: own.byUser('phone_codes', ['user_id', byNumber], item),
    laptops: own.byUser('laptops', ['seller_id', byId], item),
    measurements: own.byLaptop('measurements', item),
    inspections: own.byLaptop('inspections', item),
    drafts: own.byUser('laptop_drafts', ['seller_id', byNumber], item),
    browserChecks: own.byLaptop('browser_checks', item),
    certificates: own.byLaptop('certificate_versions', item),
    bookings: own.byUserWithLaptop('bookings', 'buyer_id', item),
    shippingAddresses: own.byBooking('buyer', ['shipping_addresses', 'stored_at'], item),
    senderAddresses: own.byUser('sender_addresses', ['seller_id', bySeller], item),
    wishlist: own.byUserWithLaptop('wishlist_items', 'buyer_id', item),
    savedSearches: own.byUser('saved_searches', ['user_id', byId], item),
    notifications: own.byUser('notifications', ['user_id', byNumber], item),
    notificationSettings: own.byUser('notification_settings', ['user_id', byTopic], item),
    pushSubscriptions: own.byUser('push_subscriptions', ['user_id', byId], item),
    orders: orders(),
    parcels: parcels(),
    labels: labels(),
    packingPhotos: packingPhotos(),
    complaintStatements: complaintStatements(),
    // The answer is the reviewed person's.
    reviews: own.byUser('reviews', ['author_id', byNumber], (row) =>
      toItem(row, { without: ['answer', 'answered_at'] }),
    ),
    reviewAnswers: reviewAnswers(),
    messages: own.byUserInConversations('messages', 'sender_id', item),
    meetings: own.byUserInConversations('meetings', 'proposer_id', item),
    messageReports: own.byUserInConversations('message_reports', 'reporter_id', item),
    reviewReports: reviewReports(),
    paymentAttempts: own.byBooking('buyer', ['payment_intents', 'created_at'], item),
    payments: payments(),
    refunds: own.byBooking('buyer', ['refunds', 'created_at'], item),
    settlements: own.byUser('settlements', ['seller_id', byNumber], item),
    debtSettlements: own.byUser('debt_settlements', ['seller_id', byNumber], item),
    payoutAccounts: own.byUser('payout_accounts', ['seller_id', bySeller], item),
    transfers: own.byUser('transfers', ['seller_id', byId], item),
    bankPayouts: own.byUser('bank_payouts', ['seller_id', byPayout], item),
    disputes: own.byBooking('buyer', ['disputes', 'opened_at'], item),
    receipts: own.byUser('receipts', ['recipient_id', byNumber], item),
    reports: own.byUserWithLaptop('reports', 'reporter_id', item),
    adminActs: own.byUser('audit_entries', ['admin_id', byId], item),
    elsewhere,
  };
}
