import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchangeToken } from '#contract/accounts.ts';
import { listAuditTrail } from '#contract/audit.ts';
import { listBookings, listOwnBuyers } from '#contract/bookings.ts';
import {
  advertiseLaptop,
  deleteOwnLaptop,
  listAdvertisements,
  listBrands,
  listCategory,
  listOwnLaptops,
} from '#contract/catalogue.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { type OwnData, readOwnData } from '#contract/privacy.ts';
import { listReportedItems, reportLaptop, takeDownLaptop } from '#contract/reports.ts';
import { listWishlist, wish } from '#contract/wishlist.ts';
import { readStoredFacts } from '#server/catalogue/stored-facts.ts';
import { migrateTo, migrateToLatest, migrationNames } from '#server/database/migrate.ts';
import { createQueue } from '#server/jobs/queue.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;
let people: { seller: Person; buyer: Person; other: Person; admin: Person };
/** What each user of the shop sees. */
let everything: unknown;
/** An empty database of an older version, with the job queue's tables. Each case migrates it to its version. */
let older: TestDatabase;

/** Creates rows in every table that the API writes to. */
beforeAll(async () => {
  shop = await startTestShop();
  const [seller, buyer, other, admin] = [
    await shop.seller(),
    await shop.buyer(),
    await shop.buyer(),
    await shop.admin(),
  ];
  people = { seller, buyer, other, admin };
  const laptop = (name: string) => shop.laptop(seller, { name });
  const [sold, open, wished, withdrawn, takenDown] = [
    await laptop('Sold'),
    await laptop('Open'),
    await laptop('Wished'),
    await laptop('Gone'),
    await laptop('Taken down'),
  ];
  const pay = async (bookingId: string) => {
    const { clientSecret } = await buyer.client.call(createPaymentIntent, {
      body: { price: 549.99, bookingId },
    });
    const { transactionId } = await shop.pay(clientSecret);
    await buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  };
  const paidBooking = await shop.booking(buyer, sold);
  await shop.booking(other, sold);
  await pay(paidBooking);
  await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId: await shop.booking(buyer, open) },
  });
  await other.client.call(wish, { body: { productCode: wished } });
  await seller.client.call(advertiseLaptop, { params: { _id: wished } });
  await seller.client.call(deleteOwnLaptop, { params: { _id: withdrawn } });
  for (const productCode of [takenDown, wished]) {
    await other.client.call(reportLaptop, { body: { productCode, reason: 'Stolen', note: 'Seen before.' } });
  }
  await admin.client.call(takeDownLaptop, {
    params: { _id: takenDown },
    body: { note: 'Proof is missing.' },
  });
  everything = await readEverything(shop);
  older = await createTestDatabase({ template: 'template0' });
  await createJobTables(older.url);
});
afterAll(async () => {
  await older.drop();
  await shop.close();
});

/** Creates the job queue's tables with the shop's queues, which is most of the first start of a shop. */
async function createJobTables(url: string): Promise<void> {
  const { rows } = await shop.connection.pool.query<{ name: string }>(
    `select name from pgboss.queue where name not like '\\_\\_%'`,
  );
  const errors: Error[] = [];
  const queue = createQueue(url, (error) => errors.push(error));
  await queue.start(rows.map(({ name }) => ({ name, run: async () => undefined })));
  await queue.stop();
  expect(errors).toEqual([]);
}

/** The random codes for slips of paper, which laptops of earlier versions get with the migration. */
const slipCode = /"(code|slipCode)":"[0-9A-Z]{5}"/g;

/** The id and the clock of an order, which payments of earlier versions get with the migration. */
const newOrder = /"order":\{"_id":"[^"]*","state":"([^"]*)","dueAt":"[^"]*"\}/g;

/** Reads what each user can see, without the origin and what is random, which differs between shops. */
async function readEverything(target: TestShop): Promise<unknown> {
  const as = ({ token }: Person) => target.client(token);
  const { seller, buyer, other, admin } = people;
  const all = { query: {} };
  // The next token exchange records again whether an email address is verified.
  for (const { email } of [seller, buyer, other]) {
    const signedIn = target.client(await target.issuer.idToken(email));
    await signedIn.call(exchangeToken, { query: { email } });
  }
  const answers = [
    await target.visitor.call(listBrands, {}),
    await target.visitor.call(listCategory, { params: { id: 'HP' }, ...all }),
    await target.visitor.call(listAdvertisements, all),
    await as(seller).call(listOwnLaptops, all),
    await as(seller).call(listOwnBuyers, all),
    await as(buyer).call(listBookings, all),
    await as(other).call(listBookings, all),
    await as(other).call(listWishlist, all),
    await as(admin).call(listReportedItems, all),
    await as(admin).call(listAuditTrail, all),
    ...(await Promise.all(
      [seller, buyer, other].map(async (person) => comparable(await as(person).call(readOwnData, {}))),
    )),
  ];
  const text = JSON.stringify(answers).replaceAll(target.origin, '').replaceAll(slipCode, '"$1":""');
  return JSON.parse(text.replaceAll(newOrder, '"order":"$1"'));
}

/**
 * What is kept about a user, without what is new with the migration: the ids of orders, when they began, and receipts; nor what
 * earlier versions did not keep: notifications.
 */
function comparable({ exportedAt: _now, orders, receipts: _new, notifications: _told, ...data }: OwnData) {
  return {
    ...data,
    orders: orders.map(({ _id, events, ...order }) => ({
      ...order,
      events: events.map(({ at: _at, ...event }) => event),
    })),
  };
}

/** The columns that earlier versions had in a row `t`, from where this version keeps their values. */
const formerColumns: Readonly<Record<string, string>> = {
  bookings: `(select jsonb_build_object('paid_at', placed_at, 'transaction_id', transaction_id)
                from orders where booking_id = t.id)`,
  laptops: `(select jsonb_build_object('sold_to_id', buyer_id) from orders where orders.id = t.sold_order_id)`,
};

/** Copies the shop's rows into a database of an older version, for the tables and columns that it has. */
async function copyRows(from: string, to: string): Promise<number> {
  const [source, target] = [
    new pg.Client({ connectionString: from }),
    new pg.Client({ connectionString: to }),
  ];
  await Promise.all([source.connect(), target.connect()]);
  try {
    const { rows: tables } = await target.query<{ name: string; columns: string }>(
      `select table_name as name, string_agg(quote_ident(column_name), ', ') as columns
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
          and is_generated = 'NEVER'
        group by table_name`,
    );
    // Laptops and bookings reference each other. The source has checked the foreign keys.
    await target.query('set session_replication_role = replica');
    await target.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    let copied = 0;
    const { rows: kept } = await source.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const known = new Set(kept.map(({ name }) => name));
    for (const { name, columns } of tables.filter((table) => known.has(table.name))) {
      const former = formerColumns[name] ?? 'null';
      const { rows } = await source.query<{ row: unknown }>(
        `select to_jsonb(t) || coalesce(${former}, '{}'::jsonb) as row from ${name} t`,
      );
      await target.query(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${name}, $1)`,
        [JSON.stringify(rows.map(({ row }) => row))],
      );
      copied += rows.length;
    }
    const { rows: numbered } = await target.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
        where table_schema = 'public' and is_identity = 'YES'`,
    );
    for (const { table, column } of numbered) {
      await target.query(
        `select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table}`,
      );
    }
    return copied;
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

// Each case starts a shop. A case runs all later migrations, so that those in between also run on filled tables.
const everyFifth = migrationNames
  .slice(0, -1)
  .filter((_, index, { length }) => (length - 1 - index) % 5 === 0);

test.each(everyFifth)(
  'migrating a filled database from version %s to the newest changes nothing that users see',
  async (version) => {
    await migrateTo(older.url, version);
    const database = await createTestDatabase({ template: new URL(older.url).pathname.slice(1) });
    expect(await copyRows(shop.connection.pool.options.connectionString ?? '', database.url)).toBeGreaterThan(
      20,
    );
    // Two processes of the new version may start concurrently.
    await Promise.all([migrateToLatest(database.url), migrateToLatest(database.url)]);

    const migrated = await startTestShop({ database });
    try {
      await readStoredFacts(migrated.connection.database, new AbortController().signal);
      expect(await readEverything(migrated)).toEqual(everything);
      // New rows can be inserted.
      const buyer = await migrated.buyer('Newcomer');
      const laptop = await migrated.laptop(await migrated.seller('Newcomer Seller'));
      expect(await migrated.booking(buyer, laptop)).toMatch(/^[0-9a-f-]{36}$/);
    } finally {
      await migrated.close();
    }
  },
  60_000,
);

test('there are several migrations, in alphabetical order', () => {
  expect(migrationNames.length).toBeGreaterThan(1);
  expect([...migrationNames].sort()).toEqual(migrationNames);
});
