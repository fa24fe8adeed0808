import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { exchangeToken, registerUser } from '#contract/accounts.ts';
import { book, listBookings } from '#contract/bookings.ts';
import { listCategory, listLaptop } from '#contract/catalogue.ts';
import { createClient } from '#contract/client.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { readSettings } from '#contract/settings.ts';
import { uploadPhoto } from '#demo/photo-upload.ts';
import { anyPicture } from '#demo/pictures.ts';
import { verifyArchive } from '#server/database/backup/archive.ts';
import { confirmWithCard } from '#tests/harness/card.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { type Running, runToEnd, startServer } from './running.ts';

const password = 'Kept#2018word';

let folder: string;
let first: TestDatabase;
let second: TestDatabase;
let port: number;
let origin: string;
let shop: Running | null = null;
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
const program = 'server/database/backup/main.ts';
const backUp = (which: 'first' | 'second', to: string) =>
  runToEnd(program, ['backup', file(to)], environment(which));
const restore = (from: string, args: string[] = [], extra: Record<string, string> = {}) =>
  runToEnd(program, ['restore', file(from), ...args], environment('second', extra));

const callsWith = (token: string | null) =>
  createClient({ base: `${origin}/api`, fetch, token: () => token });

async function identity(path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${origin}/identity${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return z.object({ idToken: z.string() }).parse(await answer.json()).idToken;
}

async function enter(role: 'Buyer' | 'Seller'): Promise<string> {
  const [email, name] = [`${role.toLowerCase()}@kept.example`, `Kept ${role}`];
  const proven = callsWith(await identity('/sign-up/email', { email, name, password }));
  await proven.call(registerUser, { body: { name, email, role } });
  return (await proven.call(exchangeToken, { query: { email } })).coomercioToken;
}

/** A seller with two laptops, of which a buyer has paid one. */
async function fill(): Promise<void> {
  const seller = await enter('Seller');
  buyerToken = await enter('Buyer');
  const [sellers, buyers] = [callsWith(seller), callsWith(buyerToken)];
  const settings = await callsWith(null).call(readSettings, {});
  const photoKey = new URL(settings.photos.uploadUrl, origin).searchParams.get('key') ?? '';
  photo = await uploadPhoto(anyPicture, { photosUrl: `${origin}/photos`, photoKey, token: seller });
  const laptop = async (name: string) => {
    const { insertedId } = await sellers.call(listLaptop, {
      body: {
        category_Id: 'HP',
        name,
        location: 'Lisbon',
        image: photo,
        description: { Processor: 'i5', Notes: 'Tab\there, "quotes", back\\slash,\nlines, ünïcödé, 😀' },
        original_price: 900,
        resale_price: 500,
        posted_time: '11/20/2026, 9:30:00 AM',
        use_time: '1 year',
        mobile_number: '+351 912 345 678',
        condition: 'Good',
      },
    });
    return insertedId;
  };
  const productCode = await laptop('Paid one');
  await laptop('Other one');
  const { insertedId: bookingId = '' } = await buyers.call(book, {
    body: { productCode, price: 500, phone: '+351 900 000 000', location: 'Station' },
  });
  const { clientSecret } = await buyers.call(createPaymentIntent, { body: { price: 500, bookingId } });
  const cards = { url: settings.cards.scriptUrl ?? '', publishableKey: settings.cards.publishableKey };
  const { transactionId } = await confirmWithCard(cards, clientSecret);
  await buyers.call(recordPayment, { body: { transactionId, bookingId } });
}

async function on<Answer>(
  which: TestDatabase,
  work: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client({ connectionString: which.url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** All rows of all tables of the shop and of the identity provider, as text. */
function rowsOf(which: TestDatabase): Promise<Record<string, string[]>> {
  return on(which, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_schema in ('public', 'identity') and table_type = 'BASE TABLE' order by 1`,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t order by 1`,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  });
}

/** The hash of each photo that a data folder keeps. */
async function photosOf(which: 'first' | 'second'): Promise<Record<string, string>> {
  const root = join(folder, which, 'photos');
  const hashes: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes('.incoming')) continue;
    hashes[path.slice(root.length)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return hashes;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-backup-'));
  await chmod(folder, 0o755);
  [first, second] = [
    await createTestDatabase({ template: 'template0' }),
    await createTestDatabase({ template: 'template0' }),
  ];
  port = await freePorts(5);
  origin = `http://127.0.0.1:${port}`;
  shop = await startServer(environment('first'));
  await fill();
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await first.drop();
  await second.drop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

test('a backup of a running shop holds one moment of it, whatever is written meanwhile', async () => {
  const { stderr, code, stdout } = await on(first, async (writer) => {
    await writer.query('begin');
    // Between bookings and laptops the backup has to wait for this writer.
    await writer.query('lock table brands in access exclusive mode');
    await writer.query(
      `with laptop as (insert into laptops (brand, seller_id, name, location, images, description,
          original_price_cents, resale_price_cents, posted_time, use_time, mobile_number, condition)
        select brand, seller_id, 'Later', location, images, description, 2, 1, '', '', '', condition
          from laptops limit 1 returning id)
       insert into bookings (laptop_id, buyer_id, price_cents, phone, location)
       select laptop.id, users.id, 1, '', '' from laptop, users where role = 'Buyer'`,
    );
    const backingUp = backUp('first', 'busy.tar');
    const waiting = () =>
      on(second, async (watcher) => {
        const { rows } = await watcher.query(
          `select from pg_stat_activity where query like 'copy %"brands"%' and wait_event_type = 'Lock'`,
        );
        return rows.length;
      });
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
    await writer.query('commit');
    return backingUp;
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/Backed up \d+ rows of \d+ tables and \d+ files of photos/);
  expect((await stat(file('busy.tar'))).mode & 0o777).toBe(0o600);
  const { tables } = await verifyArchive(file('busy.tar'));
  const rows = (name: string) => tables.find((table) => table.name === name)?.rows;
  expect([rows('bookings'), rows('laptops')]).toEqual([1, 2]);
  await on(first, async (client) => {
    await client.query(`delete from bookings where price_cents = 1`);
    await client.query(`delete from laptops where name = 'Later'`);
  });
}, 60_000);

test('restored into an empty machine it is the same shop: every row, every photo, passwords and tokens', async () => {
  // Once nothing is under way any more: letters and jobs write to the database, too.
  let rows = await rowsOf(first);
  for (let settled = false; !settled; ) {
    await rm(file('quiet.tar'), { force: true });
    expect((await backUp('first', 'quiet.tar')).code).toBe(0);
    const after = await rowsOf(first);
    settled = isDeepStrictEqual(after, rows);
    rows = after;
  }
  const photos = await photosOf('first');
  await shop?.stop();

  const restored = await restore('quiet.tar');
  expect(restored.stderr).toBe('');
  expect(restored.code).toBe(0);
  expect(Object.keys(rows).length).toBeGreaterThan(18);
  expect(rows['public.payments']).toHaveLength(1);
  expect(await rowsOf(second)).toEqual(rows);
  // The photo itself and its record.
  expect(Object.keys(photos)).toHaveLength(2);
  expect(await photosOf('second')).toEqual(photos);
  expect((await stat(join(folder, 'second', 'secret'))).mode & 0o777).toBe(0o600);

  shop = await startServer(environment('second'));
  const proven = callsWith(await identity('/sign-in/email', { email: 'buyer@kept.example', password }));
  const { coomercioToken } = await proven.call(exchangeToken, { query: { email: 'buyer@kept.example' } });
  for (const token of [coomercioToken, buyerToken]) {
    const orders = await callsWith(token).call(listBookings, { query: {} });
    expect(orders).toMatchObject([{ productName: 'Paid one', paid: true, state: 'Paid' }]);
  }
  expect((await fetch(photo)).status).toBe(200);
  // Numbers go on where they stood: the next row must not meet one that is taken.
  await callsWith(buyerToken).call(book, {
    body: {
      productCode:
        (await callsWith(null).call(listCategory, { params: { id: 'HP' }, query: {} }))[0]?._id ?? '',
      price: 500,
      phone: '+351 900 000 000',
      location: 'Station',
    },
  });
}, 90_000);

test('a shop that runs or that has data is not written over unasked', async () => {
  const running = await restore('quiet.tar', ['--replace']);
  expect([running.code, running.stderr]).toEqual([
    1,
    'Somebody is using this database: stop the shop, then restore.\n',
  ]);
  await shop?.stop();
  const rows = await rowsOf(second);

  const refused = await restore('quiet.tar');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^This shop has data \(in identity\.account\) of its own\. .*--replace/);

  const otherSecret = await restore('quiet.tar', ['--replace'], {
    COOMERCIO_SECRET: 'another secret than the one of the backup',
  });
  expect(otherSecret.code).toBe(1);
  expect(otherSecret.stderr).toMatch(/^COOMERCIO_SECRET is not the secret that this backup was made with/);
  expect(await rowsOf(second)).toEqual(rows);

  const replaced = await restore('quiet.tar', ['--replace']);
  expect([replaced.code, replaced.stderr]).toEqual([0, '']);
  expect(await rowsOf(second)).not.toEqual(rows);
  expect(await photosOf('second')).toEqual(await photosOf('first'));
}, 90_000);

test('a backup never replaces another', async () => {
  const before = await readFile(file('quiet.tar'));
  const { code, stderr } = await backUp('first', 'quiet.tar');
  expect([code, stderr]).toEqual([1, expect.stringContaining('exists already')]);
  expect(await readFile(file('quiet.tar'))).toEqual(before);
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
}, 30_000);

test('a damaged or cut file is told in words before anything is written', async () => {
  const whole = await readFile(file('quiet.tar'));
  const places = {
    'a row': whole.indexOf('Kept Buyer'),
    'a photo': whole.indexOf('photos/') + 512 + 40,
    'the manifest': whole.indexOf('"coomercio-backup"') + 3,
    'a header': whole.indexOf('tables/public/users'),
  };
  for (const [what, place] of Object.entries(places)) {
    expect(place, what).toBeGreaterThan(0);
    const damaged = Buffer.from(whole);
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    await writeFile(file('damaged.tar'), damaged);
    await expect(verifyArchive(file('damaged.tar')), what).rejects.toThrow(
      /is damaged|cannot be read as a backup|is not a whole backup/,
    );
  }
  for (const length of [0, 700, Math.floor(whole.length / 2), whole.length - 3000]) {
    await writeFile(file('cut.tar'), whole.subarray(0, length));
    await expect(verifyArchive(file('cut.tar')), `${length}`).rejects.toThrow(
      /cannot be read as a backup|is not a whole backup|is damaged/,
    );
  }
  const rows = await rowsOf(second);
  await mkdir(join(folder, 'second'), { recursive: true });
  const refused = await restore('damaged.tar', ['--replace']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('damaged.tar');
  expect(await rowsOf(second)).toEqual(rows);
}, 60_000);
