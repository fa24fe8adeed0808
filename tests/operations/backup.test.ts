import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCategory } from '#contract/listings/catalogue.ts';
import { book, listBookings } from '#contract/sales/bookings.ts';
import { recordFolder } from '#server/listings/photos/own-folder.ts';
import { archiveFile, verifiedEntries, verifyArchive } from '#server/operations/backup/archive.ts';
import { withDatabase } from '#server/platform/database/connect.ts';
import { migrateToLatest } from '#server/platform/database/migrate.ts';
import { createObjectStorage } from '#server/providers/object-storage.ts';
import { startObjectStore } from '#tests/harness/listings/object-storage.ts';
import { runCommand, type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { clientFor, createSampleData, readAllRows, signInBuyer, withConnection } from './sample-data.ts';

let folder: string;
let first: TestDatabase;
let second: TestDatabase;
let port: number;
let origin: string;
let shop: ServerProcess | null = null;
let buyerToken: string;
let photo: string;

const environment = (which: 'first' | 'second', extra: Record<string, string> = {}) => ({
  PORT: String(port),
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: (which === 'first' ? first : second).url,
  COOMERCIO_DATA: join(folder, which),
  DEMO: '0',
  ...extra,
});

const file = (name: string) => join(folder, name);
const program = 'server/operations/commands/admin.ts';
const backUp = (which: 'first' | 'second', to: string, extra: Record<string, string> = {}) =>
  runCommand(program, ['backup', file(to)], environment(which, extra));
const restore = (from: string, args: string[] = [], extra: Record<string, string> = {}) =>
  runCommand(program, ['restore', file(from), ...args], environment('second', extra));

/** Returns the hash of each photo file in a data folder. */
async function photosOf(which: 'first' | 'second'): Promise<Record<string, string>> {
  const root = join(folder, which, 'photos');
  const hashes: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes('/.')) continue;
    // Below the two folders of its hash.
    hashes[path.slice(root.length + '/ab/cd'.length)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return hashes;
}

/** The same without variants, which backups do not contain. */
async function originalsOf(which: 'first' | 'second'): Promise<Record<string, string>> {
  const photos = Object.entries(await photosOf(which));
  return Object.fromEntries(photos.filter(([path]) => /_master\.webp$|\.json$/.test(path)));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-backup-'));
  await chmod(folder, 0o755);
  [first, second] = [
    await createTestDatabase({ template: 'template0' }),
    await createTestDatabase({ template: 'template0' }),
  ];
  port = await freeShopPort();
  origin = `http://127.0.0.1:${port}`;
  shop = await startServer(environment('first'));
  ({ buyerToken, photo } = await createSampleData(origin));
  expect((await fetch(photo)).status).toBe(200);
});
afterAll(async () => {
  await shop?.stop();
  await first.drop();
  await second.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a backup of a running shop is a consistent snapshot', async () => {
  const { stderr, code, stdout } = await withConnection(first, async (writer) => {
    await writer.query('begin');
    // The backup waits for this transaction between bookings and laptops.
    await writer.query('lock table brands in access exclusive mode');
    await writer.query(
      `with laptop as (insert into laptops (brand, seller_id, name, location, images, description,
          original_price_cents, resale_price_cents, posted_time, use_time, mobile_number, condition)
        select brand, seller_id, 'Later', location, images, description, 90000, 54999, '', '', '', condition
          from laptops limit 1 returning id, seller_id)
       insert into bookings (laptop_id, buyer_id, seller_id, price_cents, phone, location)
       select laptop.id, users.id, laptop.seller_id, 1, '', '' from laptop, users where is_buyer`,
    );
    const backingUp = backUp('first', 'busy.tar');
    const waiting = () =>
      withConnection(second, async (watcher) => {
        const { rows } = await watcher.query(
          `select from pg_stat_activity where query like 'copy %"brands"%' and wait_event_type = 'Lock'`,
        );
        return rows.length;
      });
    await expect.poll(waiting).toBe(1);
    await writer.query('commit');
    return backingUp;
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/Backed up \d+ rows of \d+ tables and \d+ files of photos/);
  expect((await stat(file('busy.tar'))).mode & 0o777).toBe(0o600);
  const { tables } = (await verifyArchive(archiveFile(file('busy.tar')))).manifest;
  const rows = (name: string) => tables.find((table) => table.name === name)?.rows;
  expect([rows('bookings'), rows('laptops')]).toEqual([1, 2]);
  await withConnection(first, async (client) => {
    await client.query(`delete from bookings where price_cents = 1`);
    await client.query(`delete from laptops where name = 'Later'`);
  });
});

test('restoring into an empty shop restores every row, photo, password and token', async () => {
  // Waits until no job or email changes the database.
  let rows = await readAllRows(first);
  for (let settled = false; !settled; ) {
    await rm(file('quiet.tar'), { force: true });
    expect((await backUp('first', 'quiet.tar')).code).toBe(0);
    const after = await readAllRows(first);
    settled = isDeepStrictEqual(after, rows);
    rows = after;
  }
  const photos = await originalsOf('first');
  // The photo that was fetched has a variant as well.
  expect(Object.keys(await photosOf('first'))).toHaveLength(3);
  await shop?.stop();
  // As on a bad day: the machine that served this database before is lost with its photos.
  await migrateToLatest(second.url, () => undefined);
  await withDatabase(second.url, (database) => recordFolder(database, join(folder, 'lost')));

  const restored = await restore('quiet.tar');
  expect(restored.stderr).toBe('');
  expect(restored.code).toBe(0);
  expect(Object.keys(rows).length).toBeGreaterThan(18);
  expect(rows['public.orders']).toHaveLength(1);
  // A restore makes the comparison with the card processor due at once.
  const withoutReading = ({ 'public.balance_reading': _, ...others }: typeof rows) => others;
  expect(withoutReading(await readAllRows(second))).toEqual(withoutReading(rows));
  // The photo itself and its record.
  expect(Object.keys(photos)).toHaveLength(2);
  expect(await photosOf('second')).toEqual(photos);
  expect((await stat(join(folder, 'second', 'secret'))).mode & 0o777).toBe(0o600);

  shop = await startServer(environment('second'));
  for (const token of [await signInBuyer(origin), buyerToken]) {
    const orders = await clientFor(origin, token).call(listBookings, { query: {} });
    expect(orders).toMatchObject([{ productName: 'Paid one', paid: true, state: 'Paid' }]);
  }
  expect((await fetch(photo)).status).toBe(200);
  // Sequences continue: the next row must not reuse a number.
  await clientFor(origin, buyerToken).call(book, {
    body: {
      productCode:
        (await clientFor(origin, null).call(listCategory, { params: { id: 'HP' }, query: {} }))[0]?._id ?? '',
      price: 500,
      phone: '+351 900 000 000',
      location: 'Station',
    },
  });
});

test('refuses to restore over a running shop or, without --replace, over existing data', {
  tags: 'long',
}, async () => {
  const [running, otherSecret] = await Promise.all([
    restore('quiet.tar', ['--replace']),
    restore('quiet.tar', ['--replace'], {
      COOMERCIO_SECRET: 'another secret than the one of the backup',
    }),
  ]);
  expect(otherSecret.code).toBe(1);
  expect(otherSecret.stderr).toMatch(/^COOMERCIO_SECRET is not the secret that this backup was made with/);
  expect([running.code, running.stderr]).toEqual([
    1,
    'Somebody is using this database: stop the shop, then restore.\n',
  ]);
  await shop?.stop();
  const rows = await readAllRows(second);

  const refused = await restore('quiet.tar');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^This shop has data \(in identity\.user\) of its own\. .*--replace/);

  expect(await readAllRows(second)).toEqual(rows);

  const replaced = await restore('quiet.tar', ['--replace']);
  expect([replaced.code, replaced.stderr]).toEqual([0, '']);
  expect(await readAllRows(second)).not.toEqual(rows);
  // Variants made here meanwhile belong to the same photo and stay.
  expect(await originalsOf('second')).toEqual(await originalsOf('first'));
});

test('a killed restore into object storage can be repeated, and a backup names missing photos', {
  tags: 'long',
}, async () => {
  await using store = await startObjectStore();
  const storage = createObjectStorage(await store.bucket('photos'));
  const inBucket = store.environment('photos');
  const midway = Promise.withResolvers<void>();
  store.onCall = ({ method, key }) => {
    if (method !== 'PUT' || !key.endsWith('/master.webp')) return 'pass';
    midway.resolve();
    return 'hang';
  };
  const rows = await readAllRows(second);
  const args = ['restore', file('quiet.tar'), '--replace'];
  const killed = await runCommand(program, args, environment('second', inBucket), midway.promise);
  expect([killed.code, await readAllRows(second)]).toEqual([null, rows]);

  store.onCall = () => 'pass';
  const restored = await restore('quiet.tar', ['--replace'], inBucket);
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const photos = await originalsOf('first');
  const keys = await Readable.from(storage.keys()).toArray();
  expect(keys.map((key) => `/${key}`).sort()).toEqual(Object.keys(photos).sort());

  const [master = ''] = keys.filter((key) => key.endsWith('/master.webp'));
  await storage.remove(master);
  const incomplete = await backUp('second', 'bucket.tar', inBucket);
  expect(incomplete.code).toBe(3);
  expect(incomplete.stderr).toMatch(
    /^1 photo that laptops show is missing \([0-9a-f]{64}-.*\) from the bucket photos; the backup lacks what is missing\.\n$/,
  );
  expect(incomplete.stdout).toMatch(/Backed up \d+ rows of \d+ tables and 1 file of photos/);
  const inArchive: string[] = [];
  for await (const { name, content } of verifiedEntries(archiveFile(file('bucket.tar')))) {
    if (!name.startsWith('photos/')) continue;
    inArchive.push(name.slice('photos'.length));
    expect(createHash('sha256').update(content).digest('hex')).toBe(photos[inArchive.at(-1) ?? '']);
  }
  expect(inArchive).toHaveLength(1);
  storage.close();
});

test('a backup never overwrites a file', { tags: 'long' }, async () => {
  const before = await readFile(file('quiet.tar'));
  const { code, stderr } = await backUp('first', 'quiet.tar');
  expect([code, stderr]).toEqual([1, expect.stringContaining('exists already')]);
  expect(await readFile(file('quiet.tar'))).toEqual(before);
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
