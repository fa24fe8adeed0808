import pg from 'pg';
import type { BrowserFacts } from '#contract/certification/browser-checks.ts';
import { unknownMachine } from '#contract/certification/testing/unknown-machine.ts';
import { metFromPhotos } from '#server/certification/inspections/testing/checklist.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

/** Number of rows per table: 100,000, or as many as `npm run scale` asks for in the variable `SCALE_ROWS`. */
export const ROWS = Number(process.env.SCALE_ROWS ?? 100_000);

/** SQL for the id of the `at`-th row of a table, where ids are UUIDs: of version 4, as the contract requires. */
export const idOf = (table: string, at: string): string =>
  `overlay(overlay(md5('${table} ' || (${at})) placing '4' from 13) placing '8' from 17)::uuid`;

/** Row numbers of a seller with half of all laptops and a buyer with a third of all bookings. */
export const heavy = { seller: 20, buyer: 2 } as const;
/** Row numbers of a seller and a buyer with some hundreds of rows each. */
export const medium = { seller: 40, buyer: 4 } as const;

const sqlArray = (values: readonly string[]) => `(array[${values.map((value) => `'${value}'`).join(', ')}])`;

/** Skewed distributions: one seller has half of all laptops, so that the planner's averages are wrong. */
const sellerOf = (at: string) =>
  idOf(
    'users',
    `case when (${at}) % 2 = 0 then ${heavy.seller} when (${at}) % 201 = 0 then ${medium.seller}
          else ((${at}) % 5000) * 20 + 40 end`,
  );
const buyerOf = (at: string) =>
  idOf(
    'users',
    // Nobody buys from themselves: laptop 20 is of seller 20.
    `case when (${at}) % 3 = 0 or (${at}) = ${heavy.seller} then ${heavy.buyer}
          when (${at}) % 100 = 5 then ${medium.buyer} else (${at}) end`,
  );
/** Every fifth laptop is sold, to the buyer of its booking. */
const isSold = 'i % 5 = 0';

const unknownBrowser = {
  renderer: null,
  memory: null,
  screen: null,
} satisfies BrowserFacts;

/** 43 characters of base64url. */
const thumbprint = `translate(encode(sha256(i::text::bytea), 'base64'), '+/=', '-_')`;

/** A telephone number of each row. */
const phone = `'+3519' || lpad(i::text, 8, '0')`;

/** SQL of column values by the row number `i`. Columns that are not listed get a value by their type. */
const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    email: `'person' || i || '@people.example'`,
    phone,
    phone_confirmed_at: 'now()',
    name: `${sqlArray(['Ana', 'Bruno', 'Carla', 'Duarte', 'Eva'])}[i % 5 + 1] || ' ' || left(md5(i::text), 6)`,
    is_buyer: 'i % 20 > 0 and i % 5000 <> 1',
    is_seller: 'i % 20 = 0',
    is_admin: 'i % 5000 = 1',
    is_owner: 'i % 5000 = 1',
    ended_at: `case when i % 10 = 7 then now() end`,
  },
  laptops: {
    brand: `case when i <= 3 then 'Lenovo' when i % 2000 = 1 then 'Acer' else ${sqlArray(['HP', 'Dell'])}[i % 2 + 1] end`,
    seller_id: sellerOf('i'),
    description: `jsonb_build_object('Processor', 'Core i5', 'Notes', repeat('Works. ', 20))`,
    original_price_cents: '90000',
    resale_price_cents: '54999',
    condition: `'Good'`,
    images: `array['/photos/' || encode(sha256(i::text::bytea), 'hex') || '-1280x960-${'0'.repeat(36)}/1280.webp']`,
    state: `case when ${isSold} then 'sold' when i % 7 = 0 then 'withdrawn' when i % 11 = 0 then 'taken_down' else 'available' end`,
    sold_order_id: `case when ${isSold} then ${idOf('orders', 'i')} end`,
    taken_down_note: `case when i % 11 = 0 and i % 7 <> 0 and not ${isSold} then 'Proof is missing.' end`,
    advertised_at: `case when i % 3 = 0 then now() end`,
    level: `case when i % 13 = 1 then 'measured' when i % 13 = 2 then 'inspected_photos' else 'word' end`,
    level_at: `case when i % 13 in (1, 2) then now() end`,
  },
  measurement_codes: { laptop_id: idOf('laptops', 'i') },
  measurements: {
    laptop_id: idOf('laptops', 'i'),
    machine: `'${JSON.stringify(unknownMachine)}'::jsonb`,
  },
  found_locks: { part_hashes: `array[encode(sha256(i::text::bytea), 'hex')]` },
  inspections: {
    kind: `'photos'`,
    decision: `case when i % 2 = 0 then 'approved' else 'sent_back' end`,
    grade: `case when i % 2 = 0 then 'Good' end`,
    // Half of the decisions are about another version, so that their laptops wait.
    laptop_version: '1 + i % 2',
    checklist: `'${JSON.stringify(metFromPhotos)}'`,
  },
  certificate_keys: { kid: thumbprint, public_key: thumbprint, retired_at: 'now()' },
  certificate_versions: {
    version: '1',
    kid: thumbprint,
    revoked_at: 'now()',
    revocation_reason: `'account_deleted'`,
  },
  laptop_drafts: { seller_id: sellerOf('i'), expires_at: `now() + i * interval '1 second'` },
  browser_checks: {
    laptop_id: idOf('laptops', 'i'),
    results: `'[]'`,
    browser: `'${JSON.stringify(unknownBrowser)}'`,
  },
  wishlist_items: { buyer_id: buyerOf('i') },
  bookings: {
    buyer_id: buyerOf('i'),
    seller_id: sellerOf('i'),
    price_cents: '54999',
    location: `'Central Station'`,
  },
  shipping_addresses: {
    name: `'Bea Buyer'`,
    line1: `'1200 NE Broadway'`,
    city: `'Portland'`,
    region: `'OR'`,
    postal_code: `'97232'`,
    country: `'US'`,
  },
  sender_addresses: {
    seller_id: sellerOf('i'),
    name: `'Sam Seller'`,
    line1: `'388 Townsend St'`,
    city: `'San Francisco'`,
    region: `'CA'`,
    postal_code: `'94107'`,
    country: `'US'`,
    phone: `'+1 415 555 0100'`,
  },
  labels: {
    way: `'out'`,
    state: `'voided'`,
    shipment_id: `'shp_' || i`,
    borne_by: `'seller'`,
    rates: `'[]'`,
    insured_cents: '54999',
    quoted_premium_cents: '550',
    rate_id: `'rate'`,
  },
  parcels: {
    nth: '1',
    carrier: `'UPS'`,
    tracking_number: `'1Z' || lpad(i::text, 10, '0')`,
  },
  packing_photos: { nth: '1' },
  payment_windows: {
    buyer_id: buyerOf('i'),
    started_at: `now() - interval '1 hour'`,
    expires_at: `now() - interval '50 minutes'`,
  },
  payment_queue: { buyer_id: buyerOf('i'), expires_at: `now() - interval '50 minutes'` },
  payment_intents: {
    transaction_id: `'pi_' || i`,
    state: `case when i % 200 = 1 then 'open' else 'closed' end`,
    next_check_at: `now() + interval '1 hour'`,
  },
  refunds: {
    transaction_id: `'pi_' || i`,
    reason: `'paid_twice'`,
    state: `case i % 200 when 2 then 'waiting' when 4 then 'failed' else 'done' end`,
    done_at: `case when i % 200 not in (2, 4) then now() end`,
    failed_at: `case when i % 200 = 4 then now() end`,
    failure_reason: `case when i % 200 = 4 then 'lost_or_stolen_card' end`,
    next_check_at: `now() + interval '1 hour'`,
    created_at: `now() - i * interval '1 minute'`,
  },
  // Most sales are over. Unsold laptops were returned, so that they can be sold.
  orders: {
    buyer_id: buyerOf('i'),
    seller_id: sellerOf('i'),
    transaction_id: `'pi_' || i`,
    price_cents: '54999',
    commission_cents: '2750',
    state: `case when i % 200 = 0 then 'held' when i % 1000 = 150 then 'contested' when ${isSold} then 'completed' else 'refunded' end`,
    promised_until: 'now()',
    due_at: `case when i % 200 = 0 or i % 1000 = 150 then now() + interval '1 day' end`,
    released_at: `case when i % 200 <> 0 and i % 1000 <> 150 and ${isSold} then now() end`,
    refunded_cents: `case when ${isSold} then 0 else 54999 end`,
    laptop_with_buyer: `${isSold} and i % 200 <> 0`,
    handover_code: `'012345'`,
  },
  order_events: { event: `'paid'`, actor: `'buyer'` },
  complaints: { nth: '1' },
  complaint_statements: { nth: '1', author_id: buyerOf('i'), text: `'It does not start.'`, photos: `'{}'` },
  // One conversation has a third of all messages.
  conversations: {
    buyer_id: idOf('users', `case when i % 3 = 0 then ${heavy.buyer} else i * 20 % ${ROWS} + 22 end`),
    seller_id: sellerOf('i'),
    messages: `case when i = 3 then ${ROWS} else i end`,
    latest_number: 'i',
  },
  messages: {
    conversation_id: idOf('conversations', 'case when i % 3 = 0 then 3 else i end'),
    sequence: 'i',
    sender_id: idOf('users', `case when i % 3 = 0 then ${heavy.buyer} else i * 20 % ${ROWS} + 22 end`),
    text: `'Is it still for sale?'`,
  },
  message_photos: { sequence: 'i' },
  meetings: { proposer_id: buyerOf('i'), state: `case when i % 2 = 0 then 'agreed' else 'cancelled' end` },
  // Every second review is about one seller.
  reviews: {
    side: `'buyer'`,
    author_id: idOf('users', `i * 20 % ${ROWS} + 22`),
    subject_id: sellerOf('i'),
    stars: '1 + i % 5',
    text: `'As described.'`,
    shown_at: 'now()',
    answer: `case when i % 2 = 0 then 'Thank you.' end`,
    answered_at: `case when i % 2 = 0 then now() end`,
    removed_at: `case when i % 10 = 5 then now() end`,
    removed_by_id: `case when i % 10 = 5 then ${idOf('users', '1')} end`,
    removal_reason: `case when i % 10 = 5 then 'An insult.' end`,
  },
  // Every third report is about one review. Most are resolved.
  review_reports: {
    review_id: idOf('reviews', 'case when i % 3 = 0 then 3 else i end'),
    reason: `'Insulting'`,
    resolution: `case when i % 1000 > 0 then 'dismissed' end`,
  },
  failed_items: { queue: `'order deadlines'`, failed_at: `now() - i * interval '20 seconds'` },
  reputations: { sold: 'i', reviews: 'i', stars: '3 * i' },
  message_reports: {
    conversation_id: idOf('conversations', 'case when i % 3 = 0 then 3 else i end'),
    until_sequence: String(ROWS),
  },
  message_blocks: { blocked_id: idOf('users', 'i + 1') },
  ledger_postings: { kind: `'sale'`, reference: `'pi_' || i`, posted_at: `now() - i * interval '1 minute'` },
  ledger_entries: { account: `'processor'` },
  receipts: {
    year: 'extract(year from now())',
    sequence: 'i',
    recipient_id: buyerOf('i'),
    kind: `'sale_credit'`,
  },
  balance_transactions: { id: `'txn_' || i`, type: `'charge'`, transaction_id: `'pi_' || i` },
  ledger_differences: {
    reference: `'pi_' || i`,
    movement: `'payment'`,
    resolved_at: `case when i % 500 <> 0 then now() end`,
  },
  disputes: {
    opened_at: `now() - i * interval '1 minute'`,
    state: `case when i % 200 = 0 then 'disputed' else 'won' end`,
    closed_at: `case when i % 200 <> 0 then now() - i * interval '1 minute' end`,
    next_check_at: `now() + interval '1 hour'`,
  },
  same_laptop_checks: { result: `'same'` },
  // Orders that were paid.
  order_payables: { seller_id: sellerOf('i'), payable_cents: '0' },
  // Sellers with few laptops can leave the shop, which owes them nothing. One seller in 200 waits for money, and another one owes it;
  // the exports have a row for each of them.
  seller_balances: { balance_cents: 'case when i % 200 = 0 then i when i % 200 = 10 then -i else 0 end' },
  settlements: {
    kind: `(array['paid', 'repaid'])[1 + i % 2]`,
    reference: `'reference ' || i`,
    reason: 'null',
  },
  // They have no account yet, so that one can be created.
  payout_accounts: {
    country: `'US'`,
    account_id: `case when i % 40 <> 20 then 'acct_' || i end`,
    state: `case when i % 40 <> 20 then 'active' else 'creating' end`,
    next_check_at: `now() + interval '1 day'`,
  },
  transfers: {
    seller_id: sellerOf('i'),
    account_id: `'acct_' || i`,
    amount_cents: '52249',
    transfer_id: `case when i % 200 <> 0 then 'tr_' || i end`,
    state: `case when i % 200 <> 0 then 'made' else 'pending' end`,
  },
  transfer_reversals: { amount_cents: '52249', state: `'made'`, reversal_id: `'trr_' || i` },
  bank_payouts: {
    payout_id: `'po_' || i`,
    account_id: `'acct_' || i`,
    seller_id: sellerOf('i'),
    state: `'paid'`,
  },
  fraud_warnings: { warning_id: `'issfr_' || i`, transaction_id: `'pi_' || i`, fraud_type: `'misc'` },
  webhook_events: { received_at: `now() - i * interval '1 minute'` },
  reports: {
    reporter_id: buyerOf('i'),
    reason: `'Other'`,
    resolution: `case when i % 3 <> 0 then 'dismissed' end`,
  },
  reported_laptops: { reports: '1', open_reports: '(i % 3 = 0)::int', latest: 'i' },
  audit_entries: {
    admin_id: idOf('users', 'i % 20 * 5000 + 1'),
    act: `'Dismissed reports'`,
    laptop_id: `case when i % 2 = 0 then ${idOf('laptops', 'i')} end`,
  },
  rate_limits: { empty_at: `now() + i * interval '1 second'` },
  // One person in ten has not seen the last ones, each of which leads to another page. Those of one day wait for the daily email.
  notifications: {
    user_id: buyerOf('i'),
    topic: `'bookings'`,
    title: `'A title'`,
    body: `'What happened.'`,
    path: `'/dashboard/page' || i`,
    created_at: `now() - i * interval '1 second'`,
    seen_at: `case when i % 10 <> 0 then now() end`,
    emailed_at: `case when i % 100 <> 1 then now() end`,
    digest_at: `case when i % 100 = 1 then now() + interval '1 hour' end`,
  },
  notification_settings: { user_id: idOf('users', 'i'), topic: `'bookings'`, delivery: `'daily'` },
  push_subscriptions: {
    user_id: idOf('users', 'i'),
    session_id: `'session ' || i`,
    endpoint: `'https://fcm.googleapis.com/fcm/send/' || i`,
    p256dh: `'B'`,
    auth: `'A'`,
  },
  phone_codes: {
    user_id: idOf('users', 'i'),
    phone,
    state: `'sent'`,
    expires_at: `now() + interval '1 hour'`,
  },
  phone_code_counts: { day: `current_date - (i % 2)::int`, subject: `'number ' || i`, count: '1' },
  ended_sessions: { forget_at: `now() + i * interval '1 second'` },
  photos: { state: `'listed'` },
  photo_thumbnails: { thumbnail: `decode(repeat('00', 4096), 'hex')` },
};

/** Tables whose size does not depend on the number of users and laptops. They are not filled. */
const fixedSizeTables = [
  'backup_state',
  'battery_floors',
  'brands',
  'balance_reading',
  'certificates_to_renew',
  'content_pages',
  'content_versions',
  'event_destinations',
  'former_brand_names',
  'kysely_migration',
  'kysely_migration_lock',
  'ledger_totals',
  'ledger_totals_until',
  'photo_folder',
  'receipt_counters',
  'shop_identities',
  'shop_pictures',
  'shop_settings',
  'shop_time_zone',
  'shop_currency',
  'staff_invitations',
];

interface Column {
  table: string;
  name: string;
  type: string;
  /** Whether an insert may omit the column. */
  optional: boolean;
  primary: boolean;
  /** Values that a check constraint lists. */
  choices: string[];
  /** The table whose id the column references. */
  reference: string | null;
}

async function readColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select relname as table, attname as name, format_type(atttypid, null) as type,
           not attnotnull or atthasdef or attidentity <> '' or attgenerated <> '' as optional,
           exists (select from pg_index where indrelid = attrelid and indisprimary and indkey[0] = attnum
                                          and indnatts = 1) as primary,
           coalesce((select array_agg(found[1]) from pg_constraint,
                            regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''(\\w+)''::text', 'g') as found
                      where conrelid = attrelid and contype = 'c' and conkey = array[attnum]), '{}') as choices,
           (select min(confrelid::regclass::text)
              from pg_constraint join pg_attribute as other
                on other.attrelid = confrelid
                   and other.attnum = confkey[array_position(conkey, pg_attribute.attnum)]
             where conrelid = pg_attribute.attrelid and contype = 'f' and other.attname = 'id') as reference
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
     order by relname, attnum`);
  return rows.filter(({ table }) => !fixedSizeTables.includes(table));
}

/** Returns SQL for a value by the column's type, distinct in each row where the type allows it. */
function valueByType({ table, name, type, primary, reference, choices }: Column): string {
  if (type === 'uuid') return idOf(reference ?? (primary ? table : `${table}.${name}`), 'i');
  if (choices[0] !== undefined) return `'${choices[0]}'`;
  if (type === 'text') return `encode(sha256(i::text::bytea), 'hex')`;
  if (type === 'bytea') return 'sha256(i::text::bytea)';
  if (type.startsWith('timestamp')) return `now() - i * interval '1 second'`;
  if (type === 'boolean') return 'false';
  if (type === 'jsonb') return `'{}'`;
  if (type === 'text[]') return `array[i::text]`;
  return 'i';
}

/** Fills a table. @throws Error when the generated rows violate its constraints */
async function fillTable(client: pg.Client, table: string, all: readonly Column[]): Promise<void> {
  const own = columns[table] ?? {};
  const given = all
    .filter((column) => column.name in own || column.primary || !column.optional)
    .map((column) => [column.name, own[column.name] ?? valueByType(column)] as const);
  const names = given.map(([name]) => name).join(', ');
  const values = given.map(([, value]) => value).join(', ');
  try {
    await client.query(
      `insert into ${table} (${names}) overriding user value select ${values} from generate_series(1, ${ROWS}) as i`,
    );
  } catch (error) {
    throw new Error(
      `The generated rows violate a constraint of ${table}: add its columns to ${import.meta.filename}.`,
      {
        cause: error,
      },
    );
  }
}

/** Creates a migrated and analyzed database with {@link ROWS} rows in each table. Takes some seconds. */
export async function createFilledDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // Disables foreign key triggers: tables reference each other in cycles, and the generated ids match.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into brands (category_id, skeleton, image, position) values ('Lenovo', 'lenovo', '/brands/lenovo.svg', 4)`,
    );
    // Otherwise the shop computes all levels at its start.
    await client.query('insert into battery_floors (excellent, good) values (85, 80)');
    // The receipts below have the numbers up to this one.
    await client.query(
      `insert into receipt_counters (year, last) values (extract(year from now() at time zone 'UTC'), ${ROWS})`,
    );
    const all = await readColumns(client);
    await client.query(`set maintenance_work_mem = '256MB'`);
    for (const [table, own] of Map.groupBy(all, (column) => column.table)) {
      // Building an index once is several times faster than updating it for each row.
      await client.query(`update pg_index set indisready = false where indrelid = $1::regclass`, [table]);
      await fillTable(client, table, own);
      await client.query(`reindex table ${table}`);
    }
    await client.query('analyze');
  } finally {
    await client.end();
  }
  return database;
}
