import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDiskStorage, type PhotoStorage } from '#server/listings/photos/storage.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { removeUnusedPhotos } from './unused-photos.ts';

// Without a shop, whose search index reads each new laptop at a time of its own.
let testDatabase: TestDatabase;
let connection: Connection;
let folder: string;
let storage: PhotoStorage;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  connection = connect(testDatabase.url, () => undefined);
  folder = await mkdtemp(join(tmpdir(), 'coomercio-photos-'));
  storage = await openDiskStorage(folder);
});
afterAll(async () => {
  await connection.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

const query = async (text: string, values: unknown[] = []) =>
  (await connection.pool.query<Record<string, unknown>>(text, values)).rows;

/** The rows that PostgreSQL reads of some tables while something is done. */
async function rowsRead(tables: readonly string[], work: () => Promise<unknown>) {
  const read = async () => {
    // On each connection, so that whichever worked has told.
    await Promise.all(Array.from({ length: 20 }, () => query('select pg_stat_force_next_flush()')));
    const rows = await query(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
         from pg_stat_user_tables where relname = any ($1)`,
      [tables],
    );
    return Number(rows[0]?.read);
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

test('removing unused photos reads no more rows when there are more laptops', async () => {
  const [seller] = await query(
    `insert into users (email, name, is_seller) values ('sofia@people.example', 'Sofia', true) returning id`,
  );
  const addLaptops = async (from: number, to: number) => {
    const hash = `encode(sha256(n::text::bytea), 'hex')`;
    await query(
      `insert into photos (hash, state) select ${hash}, 'listed' from generate_series($1::int, $2::int) n`,
      [from, to],
    );
    await query(
      `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
           resale_price_cents, posted_time, use_time, mobile_number, condition)
         select 'HP', $3, 'Many', 'Lisbon', array['/photos/' || ${hash} || '-x/1.webp'], '"text"', 90000, 54999, '', '', '', 'Good'
           from generate_series($1::int, $2::int) n`,
      [from, to, seller?.id],
    );
    await query('analyze laptops, laptop_photos, photos');
  };
  // Few, so that reading a whole table of thousands of rows never seems cheaper than one lookup for each.
  const unused = 10;
  const remove = async () => {
    await query(
      `insert into photos (hash, since)
       select encode(sha256(('unused ' || n)::bytea), 'hex'), now() - interval '2 days' from generate_series(1, $1::int) n
       on conflict (hash) do update set state = 'waiting', since = excluded.since`,
      [unused],
    );
    return rowsRead(['laptops', 'laptop_photos'], async () => {
      expect(
        await removeUnusedPhotos(
          { database: connection.database, directUrl: testDatabase.url, storage },
          new Date(),
        ),
      ).toBe(unused);
    });
  };
  await addLaptops(1, 500);
  const few = await remove();
  await addLaptops(501, 6000);
  const many = await remove();
  expect(many).toBeLessThan(2 * Math.max(few, 100));
});
