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
import { readOwnData } from '#contract/privacy.ts';
import { listReportedItems, reportLaptop, takeDownLaptop } from '#contract/reports.ts';
import { listWishlist, wish } from '#contract/wishlist.ts';
import { migrateTo, migrateToLatest, migrationNames } from '#server/database/migrate.ts';
import { createTestDatabase } from '#tests/harness/postgres.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;
let people: { seller: Person; buyer: Person; other: Person; admin: Person };

/** Something in every table that a call can write to. */
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
  const [sold, open, wished, gone, taken] = [
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
  await seller.client.call(deleteOwnLaptop, { params: { _id: gone } });
  for (const productCode of [taken, wished]) {
    await other.client.call(reportLaptop, { body: { productCode, reason: 'Stolen', note: 'Seen before.' } });
  }
  await admin.client.call(takeDownLaptop, { params: { _id: taken }, body: { note: 'Proof is missing.' } });
});
afterAll(() => shop.close());

/** What everybody sees, without the addresses that differ between two shops. */
async function seenIn(place: TestShop): Promise<unknown> {
  const as = ({ token }: Person) => place.client(token);
  const { seller, buyer, other, admin } = people;
  const all = { query: {} };
  // Whether an address is proven is known again with the next token that is exchanged.
  for (const { email } of [seller, buyer, other]) {
    const signedIn = place.client(await place.issuer.idToken(email));
    await signedIn.call(exchangeToken, { query: { email } });
  }
  const answers = [
    await place.visitor.call(listBrands, {}),
    await place.visitor.call(listCategory, { params: { id: 'HP' }, ...all }),
    await place.visitor.call(listAdvertisements, all),
    await as(seller).call(listOwnLaptops, all),
    await as(seller).call(listOwnBuyers, all),
    await as(buyer).call(listBookings, all),
    await as(other).call(listBookings, all),
    await as(other).call(listWishlist, all),
    await as(admin).call(listReportedItems, all),
    await as(admin).call(listAuditTrail, all),
    ...(await Promise.all(
      [seller, buyer, other].map(async (person) => {
        const { exportedAt: _now, ...data } = await as(person).call(readOwnData, {});
        return data;
      }),
    )),
  ];
  return JSON.parse(JSON.stringify(answers).replaceAll(place.origin, ''));
}

/** Fills an older database with the rows of the shop's, as far as it has places for them. */
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
    // References point both ways between laptops and bookings; they were checked where the rows come from.
    await target.query('set session_replication_role = replica');
    await target.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    let copied = 0;
    for (const { name, columns } of tables) {
      const { rows } = await source.query<{ row: unknown }>(`select to_jsonb(t) as row from ${name} t`);
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

test.each(migrationNames.slice(0, -1))(
  'a filled database of version %s is brought to the newest, and everybody sees in it what they saw',
  async (version) => {
    const database = await createTestDatabase({ template: 'template0' });
    await migrateTo(database.url, version);
    expect(await copyRows(shop.connection.pool.options.connectionString ?? '', database.url)).toBeGreaterThan(
      20,
    );
    // Two processes of the new version may start at once.
    await Promise.all([migrateToLatest(database.url), migrateToLatest(database.url)]);

    const migrated = await startTestShop({ database });
    try {
      expect(await seenIn(migrated)).toEqual(await seenIn(shop));
      // Rows can be added to it as well.
      const buyer = await migrated.buyer('Newcomer');
      const laptop = await migrated.laptop(await migrated.seller('Newcomer Seller'));
      expect(await migrated.booking(buyer, laptop)).toMatch(/^[0-9a-f-]{36}$/);
    } finally {
      await migrated.close();
    }
  },
  60_000,
);

test('there is an earlier version to come from', () => {
  expect(migrationNames.length).toBeGreaterThan(1);
  expect([...migrationNames].sort()).toEqual(migrationNames);
});

test('photos that laptops showed before there was a table of them are known, wherever the shop was', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0007-ended-sessions');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const hash = (digit: string) => digit.repeat(64);
  const path = (digit: string) => `/photos/${hash(digit)}-1280x960-${'0'.repeat(36)}/1280.webp`;
  // As the version before lists a laptop.
  const list = (name: string, images: string[]) =>
    client.query(
      `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
           resale_price_cents, posted_time, use_time, mobile_number, condition)
       select 'HP', id, $1, 'Lisbon', $2, '"text"', 90000, 54999, '', '', '', 'Good' from users`,
      [name, images],
    );
  const shown = async () => {
    const { rows } = await client.query<{ name: string; position: number; digit: string }>(
      `select name, position, left(photo_hash, 1) as digit
         from laptop_photos join laptops on laptops.id = laptop_id order by name, position`,
    );
    return rows.map(({ name, position, digit }) => `${name} ${position} ${digit}`);
  };
  try {
    await client.query(`insert into users (email, name, role) values ('s@people.example', 'S', 'Seller')`);
    await client.query(`insert into photos (hash, state) values ($1, 'listed'), ($2, 'waiting')`, [
      hash('a'),
      hash('d'),
    ]);
    await list('A', [path('a'), '/brands/hp.svg', path('b')]);
    await list('B', [`https://earlier.example${path('c')}`, 'https://img.example/x.png']);
    await migrateToLatest(database.url);
    expect(await shown()).toEqual(['A 1 a', 'A 3 b', 'B 1 c']);
    const { rows } = await client.query('select left(hash, 1) as digit, state from photos order by 1');
    expect(rows).toEqual([
      { digit: 'a', state: 'listed' },
      { digit: 'b', state: 'listed' },
      { digit: 'c', state: 'listed' },
      { digit: 'd', state: 'waiting' },
    ]);

    // The version before may still run beside this one.
    await list('C', [path('d')]);
    await client.query(
      `update laptops set images = array[brands.image] from brands where laptops.name = 'A'`,
    );
    expect(await shown()).toEqual(['B 1 c', 'C 1 d']);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('refunds of before they could fail: what is pending is asked about, what was done is not', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0005-photos');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // Without the bookings that they refer to, which do not matter here.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into refunds (booking_id, transaction_id, amount_cents, reason, state, done_at)
       values (gen_random_uuid(), 'pi_done', 100, 'paid_twice', 'done', now()),
              (gen_random_uuid(), 'pi_pending', 100, 'paid_twice', 'pending', null)`,
    );
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      `select transaction_id as id, state, attempt, next_check_at is not null as due from refunds order by 1`,
    );
    expect(rows).toEqual([
      { id: 'pi_done', state: 'done', attempt: 1, due: false },
      { id: 'pi_pending', state: 'pending', attempt: 1, due: true },
    ]);
    // The version before may still run beside this one, and knows none of the new columns.
    await client.query(
      `update refunds set state = 'done', done_at = now() where transaction_id = 'pi_pending' and state = 'pending'`,
    );
  } finally {
    await client.end();
    await database.drop();
  }
});

test('a laptop below the lowest price leaves the shop, and its seller is told why', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0007-ended-sessions');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(
      `with seller as (
         insert into users (email, name, role) values ('sam@people.example', 'Sam', 'Seller') returning id
       )
       insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                            resale_price_cents, posted_time, use_time, mobile_number, condition)
       select 'HP', id, 'For ' || cents, 'Lisbon', '{/brands/hp.svg}', '"Works."', 5000, cents, '', '', '', 'Good'
         from seller, unnest(array[49, 50]) cents`,
    );
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      'select name, state, taken_down_note as note from laptops order by resale_price_cents',
    );
    expect(rows).toEqual([
      { name: 'For 49', state: 'taken_down', note: expect.stringContaining('below $0.50') },
      { name: 'For 50', state: 'available', note: null },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});
