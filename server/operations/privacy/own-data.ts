import { sql } from 'kysely';
import { MAXIMUM_SESSION_DAYS } from '#contract/identity/schemas.ts';
import type { OwnData } from '#contract/operations/privacy.ts';
import { byPhotoUrl } from '#server/listings/catalogue/steps.ts';
import type { Database, UserRow } from '#server/platform/database/tables.ts';
import type { StreamedMembers } from '#server/platform/http/json-stream.ts';
import { timelinesOf } from '#server/sales/orders/steps.ts';
import {
  byBlocked,
  byId,
  byNumber,
  byOrder,
  byPayout,
  bySeller,
  byTopic,
  createOwnRows,
  laptopName,
} from './own-rows.ts';

/** Personal data stored outside the shop's database. */
const elsewhere = [
  `The identity provider keeps your sign-in: your email address, name and picture, a hash of your password, the id of your Google account, your second factors, your sessions of the last ${MAXIMUM_SESSION_DAYS} days with IP address and type of device, and hashes of the devices and networks from which you signed in.`,
  'Card numbers never reach this shop; the card processor keeps them and its record of each payment. It has your name, email address and telephone number as those of a customer from your first payment until your account ends.',
  'The aggregator through which the shop buys labels keeps the addresses and labels of parcels, as its law requires.',
  'The mail server keeps emails to you only until they are delivered.',
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
    'blocker_id',
    'blocked_id',
    'removed_by_id',
    'invited_by',
    'quoted_id',
    'other_laptop_id',
    'other_photo',
  ],
  ...['handover_code', 'wrong_codes', 'codes_locked_until', 'p256dh', 'auth', 'session_id', 'code_ending'],
  ...['code_sha256', 'content_sha256', 'filters_sha256', 'token_sha256', 'machine_hash', 'part_hashes'],
  'former_address', // exported with the buyer's addresses
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

/** Of a row of a conversation: the laptop that it is about. */
const laptopOfConversation = sql`
  (select name from conversations join laptops on laptops.id = laptop_id where conversations.id = conversation_id) as laptop_name`;

/** Of a statement: its complaint, and the laptop. */
const complaintOfStatement = sql`
  (select order_id from complaints where complaints.id = complaint_id) as order_id,
  (select kind from complaints where complaints.id = complaint_id) as kind,
  (select name from complaints join orders on orders.id = order_id join laptops on laptops.id = laptop_id
    where complaints.id = complaint_id) as laptop_name`;

const orderOfReview = sql`(select order_id from reviews where reviews.id = review_id) as order_id`;

/** Of an address: those before a correction to which labels lead. */
const formerAddresses = sql`
  array(select former_address from labels join orders on orders.id = order_id
         where orders.booking_id = shipping_addresses.booking_id and former_address is not null) as former_addresses`;

/**
 * Streams all that the shop stores about a user, as it is stored: one list for each kind of rows, in the order of the contract's schema, so
 * that a missing one is seen.
 */
export function streamOwnData(
  database: Database,
  user: UserRow,
  photoUrl: (photo: string) => string,
): StreamedMembers<OwnData> {
  const { byUser, byParent } = createOwnRows(database, user.id);
  const toItem = createToItem(photoUrl);
  const item = (row: object) => toItem(row);

  const ownLaptops = () => byUser('laptops', ['seller_id', byId], ({ id }) => id);
  const ordersAs = (party: 'buyer' | 'seller') => byUser('orders', [`${party}_id`, byNumber], ({ id }) => id);
  const ownBookings = () => byUser('bookings', ['buyer_id', byNumber], ({ id }) => id);
  const withLaptop = { columns: laptopName };
  const ofConversation = { columns: laptopOfConversation };

  /** As a buyer and then as a seller, with their timelines. Only the seller learns the shop's commission. */
  async function* orders(): AsyncGenerator<StoredRow[]> {
    for (const party of ['buyer', 'seller'] as const) {
      for await (const rows of byUser('orders', [`${party}_id`, byNumber], (row) => row, withLaptop)) {
        const timelines = await timelinesOf(
          database,
          rows.map(({ id }) => id),
        );
        const without = party === 'buyer' ? ['commission_cents', 'seller_name'] : ['buyer_name'];
        yield rows.map((row) => toItem(row, { without, party, events: timelines.get(row.id) ?? [] }));
      }
    }
  }

  /** Of laptops, and of drafts. */
  async function* evidence(table: 'measurements' | 'browser_checks'): AsyncGenerator<StoredRow[]> {
    yield* byParent(ownLaptops(), [table, 'laptop_id', 'number'], item, withLaptop);
    const drafts = byUser('laptop_drafts', ['seller_id', byNumber], ({ id }) => id);
    yield* byParent(drafts, [table, 'draft_id', 'number'], item);
  }

  async function* parcels(): AsyncGenerator<StoredRow[]> {
    for (const party of ['buyer', 'seller'] as const) {
      yield* byParent(ordersAs(party), ['parcels', 'order_id', 'number'], item);
    }
  }

  /** Of returns as a buyer, and of sales as a seller. */
  async function* labels(): AsyncGenerator<StoredRow[]> {
    const table = ['labels', 'order_id', 'number'] as const;
    yield* byParent(ordersAs('buyer'), table, item, { where: sql`way = 'back'` });
    yield* byParent(ordersAs('seller'), table, item, { where: sql`way = 'out'` });
  }

  /** Those that the user proposed, and those of other people to which the user has agreed. */
  async function* meetings(): AsyncGenerator<StoredRow[]> {
    yield* byUser(
      'meetings',
      ['proposer_id', byNumber],
      (row) => toItem(row, { is_proposer: true }),
      ofConversation,
    );
    for (const party of ['buyer', 'seller'] as const) {
      yield* byParent(
        byUser('conversations', [`${party}_id`, byId], ({ id }) => id),
        ['meetings', 'conversation_id', 'number'],
        (row) => toItem(row, { is_proposer: false }),
        { ...ofConversation, where: sql`state = 'agreed' and proposer_id <> ${user.id}` },
      );
    }
  }

  return {
    exportedAt: new Date().toISOString(),
    account: toItem(user),
    waitingNames: byUser('waiting_names', ['user_id', byNumber], item),
    phoneCodes: byUser('phone_codes', ['user_id', byNumber], item),
    laptops: byUser('laptops', ['seller_id', byId], item),
    measurements: evidence('measurements'),
    inspections: byParent(ownLaptops(), ['inspections', 'laptop_id', 'number'], item, withLaptop),
    drafts: byUser('laptop_drafts', ['seller_id', byNumber], item),
    browserChecks: evidence('browser_checks'),
    certificates: byParent(ownLaptops(), ['certificate_versions', 'laptop_id', 'number'], item, withLaptop),
    bookings: byUser('bookings', ['buyer_id', byNumber], item, withLaptop),
    shippingAddresses: byParent(ownBookings(), ['shipping_addresses', 'booking_id', 'stored_at'], item, {
      columns: formerAddresses,
    }),
    senderAddresses: byUser('sender_addresses', ['seller_id', byOrder], item),
    wishlist: byUser('wishlist_items', ['buyer_id', byNumber], item, withLaptop),
    savedSearches: byUser('saved_searches', ['user_id', byId], item),
    notifications: byUser('notifications', ['user_id', byNumber], item),
    notificationSettings: byUser('notification_settings', ['user_id', byTopic], item),
    pushSubscriptions: byUser('push_subscriptions', ['user_id', byId], item),
    orders: orders(),
    parcels: parcels(),
    labels: labels(),
    packingPhotos: byParent(
      ordersAs('seller'),
      ['packing_photos', 'order_id', 'number'],
      ({ order_id, photo, added_at }) => ({ order_id, photo: photoUrl(photo), added_at }),
    ),
    complaintStatements: byUser('complaint_statements', ['author_id', byNumber], item, {
      columns: complaintOfStatement,
    }),
    // The answer is the reviewed person's.
    reviews: byUser('reviews', ['author_id', byNumber], (row) =>
      toItem(row, { without: ['answer', 'answered_at'] }),
    ),
    reviewAnswers: byUser(
      'reviews',
      ['subject_id', byNumber],
      ({ order_id, answer, answered_at }) => ({ order_id, answer, answered_at }),
      { where: sql`answer is not null` },
    ),
    messages: byUser('messages', ['sender_id', byNumber], item, ofConversation),
    messageBlocks: byUser('message_blocks', ['blocker_id', byBlocked], item, {
      columns: sql`(select name from users where id = blocked_id) as blocked_name`,
    }),
    meetings: meetings(),
    messageReports: byUser('message_reports', ['reporter_id', byNumber], item, ofConversation),
    reviewReports: byUser('review_reports', ['reporter_id', byNumber], item, { columns: orderOfReview }),
    paymentAttempts: byParent(ownBookings(), ['payment_intents', 'booking_id', 'created_at'], item),
    refunds: byParent(ownBookings(), ['refunds', 'booking_id', 'created_at'], item),
    settlements: byUser('settlements', ['seller_id', byNumber], item),
    payoutAccounts: byUser('payout_accounts', ['seller_id', bySeller], item),
    transfers: byUser('transfers', ['seller_id', byId], item),
    bankPayouts: byUser('bank_payouts', ['seller_id', byPayout], item),
    disputes: byParent(ownBookings(), ['disputes', 'booking_id', 'opened_at'], item),
    receipts: byUser('receipts', ['recipient_id', byNumber], item),
    reports: byUser('reports', ['reporter_id', byNumber], item, withLaptop),
    // Those to an address that the account has not confirmed may be somebody else's.
    staffInvitations: byUser('staff_invitations', ['email', byNumber], item, {
      user: user.email,
      where: sql`${user.email_verified}`,
    }),
    adminActs: byUser('audit_entries', ['admin_id', byId], item),
    elsewhere,
  };
}
