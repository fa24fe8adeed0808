import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as catalogue from '#contract/catalogue.ts';
import { createClient } from '#contract/client.ts';
import { startMail } from '#sandbox/mail/start.ts';
import { grantAdmin } from '#server/accounts/steps.ts';
import { readConfig } from '#server/config.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { openSecrets } from '#server/secrets.ts';
import { openShop } from '#server/shop.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { demoBuyer, demoSellers } from './accounts.ts';
import { demoAccounts, demoPassword, type FillOptions, fillShop } from './fill.ts';
import { demoLaptops } from './laptops.ts';
import { lockedLaptop } from './measure.ts';
import { listPictures } from './pictures.ts';

// Storing all photos takes most of this time, and twice as long while another test file uses the second core.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let database: TestDatabase;
let connection: Connection;
let shop: Awaited<ReturnType<typeof openShop>>;
let origin: string;
let photoKey: string;
let mail: Awaited<ReturnType<typeof startMail>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-demo-'));
  database = await createTestDatabase();
  connection = connect(database.url, () => undefined);
  mail = await startMail({ smtpPort: 0, httpPort: 0, dataFolder: join(folder, 'mail') });
  const port = await freePorts(1);
  origin = `http://127.0.0.1:${port}`;
  const config = readConfig({ PORT: String(port), PUBLIC_ORIGIN: origin, COOMERCIO_DATA: folder });
  const secrets = await openSecrets(null, folder);
  photoKey = secrets.photoKey;
  shop = await openShop({
    config,
    secrets,
    providers: {
      cards: {
        secretKey: 'sk_test_',
        publishableKey: 'pk_test_',
        webhookSecret: 'whsec_',
        apiUrl: null,
        scriptUrl: null,
      },
      google: null,
      sms: null,
      smtpUrl: mail.smtpUrl,
    },
    databaseUrl: database.url,
    directUrl: database.url,
    logger: pino({ level: 'silent' }),
    tracing: null,
    pages: null,
  });
  // Decisions about laptops enqueue emails.
  await shop.startWork();
  await shop.app.listen({ host: '127.0.0.1', port });
});
afterEach(async () => {
  await shop.close();
  await mail.close();
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const fill = (changes: Partial<FillOptions> = {}) =>
  fillShop({
    origin,
    photoKey,
    inboxUrl: mail.inboxUrl,
    grantAdmin: async (email) => void (await grantAdmin(connection.database, email)),
    ...changes,
  });

/** Fills the shop with one small picture per laptop, for tests that do not check the photos. */
async function fillWithSmallPictures(): Promise<void> {
  const pictures = join(folder, 'pictures');
  await mkdir(pictures, { recursive: true });
  const names = await readdir(new URL('./photos/', import.meta.url));
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#777' } })
    .webp()
    .toBuffer();
  for (const name of names.filter((each) => each.endsWith('-open.webp'))) {
    await writeFile(join(pictures, name), picture);
  }
  await fill({ picturesFolder: pathToFileURL(`${pictures}/`) });
}

const visitor = () => createClient({ base: `${origin}/api`, fetch, token: () => null });

async function listAllLaptops() {
  const brands = ['HP', 'Dell', 'Acer'];
  const lists = await Promise.all(
    brands.map((id) => visitor().call(catalogue.listCategory, { params: { id }, query: {} })),
  );
  return lists.flat();
}

const namesOf = (laptops: readonly { name: string }[]) => laptops.map(({ name }) => name).sort();

/** All but the one on which a lock is found. */
const namesForSale = namesOf(demoLaptops.filter(({ name }) => name !== lockedLaptop));

function postJson(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

it('fills an empty shop through the API, and only once for concurrent and repeated calls', async () => {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  await Promise.all([fill({ log }), fill({ log })]);
  const laptops = await listAllLaptops();
  expect(namesOf(laptops)).toEqual(namesForSale);
  expect(Map.groupBy(laptops, ({ level }) => level).get('inspected')).toHaveLength(3);
  expect(Map.groupBy(laptops, ({ level }) => level).get('measured')).toHaveLength(6);
  expect(new Map(laptops.map((laptop) => [laptop.sellers_name, laptop.sellerVerified]))).toEqual(
    new Map(demoSellers.map(({ name, verified }) => [name, verified])),
  );
  const pictures = await listPictures(demoLaptops);
  const urlOf = new Map<string, string>();
  for (const { name, images, captions = {} } of laptops) {
    const expected = pictures.get(name) ?? [];
    expect(
      images.map((url) => captions[url] ?? null),
      name,
    ).toEqual(expected.map(({ caption }) => caption));
    for (const [index, { file }] of expected.entries()) {
      const url = images[index] ?? '';
      expect(url, 'a picture is uploaded once').toBe(urlOf.get(file.href) ?? url);
      urlOf.set(file.href, url);
    }
  }
  for (const url of laptops[0]?.images ?? []) {
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
  }
  expect(await visitor().call(catalogue.listAdvertisements, { query: {} })).toHaveLength(4);
  const times = (await listAllLaptops()).slice(0, 8).map((laptop) => Date.parse(laptop.posted_time));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  const users = await connection.database
    .selectFrom('users')
    .select(['email', 'role', 'email_verified'])
    .execute();
  expect(users).toHaveLength(demoAccounts.length);
  expect(users).toEqual(
    expect.arrayContaining(demoAccounts.map(({ email, role }) => ({ email, role, email_verified: true }))),
  );
  const sessions = await sql`select id from identity.session`.execute(connection.database);
  expect(sessions.rows, 'sessions that the demo has left open').toEqual([]);
  for (const { email } of demoAccounts) {
    const signIn = await postJson('/identity/sign-in/email', { email, password: demoPassword });
    expect(signIn.status).toBe(200);
  }
  const lineCount = lines.length;

  await connection.database.deleteFrom('laptops').where('name', '=', 'Dell G15 5520').execute();
  await fill({ log });
  expect(await listAllLaptops()).toHaveLength(namesForSale.length - 1);
  expect(lines).toHaveLength(lineCount);
});

it('completes the demo data after an aborted run', async () => {
  await expect(fill({ photoKey: 'not the key' })).rejects.toThrow('The image host did not take the picture');
  expect(await listAllLaptops()).toEqual([]);
  await fillWithSmallPictures();
  // The state after a kill: laptops, and the user record that is created last, are missing.
  await connection.database.deleteFrom('laptops').where('brand', '=', 'Acer').execute();
  await connection.database.deleteFrom('users').where('email', '=', demoBuyer.email).execute();
  await fillWithSmallPictures();
  expect(namesOf(await listAllLaptops())).toEqual(namesForSale);
  expect(await visitor().call(catalogue.listAdvertisements, { query: {} })).toHaveLength(4);
});

it('does nothing in a shop with laptops of another seller', async () => {
  await fillWithSmallPictures();
  await connection.database
    .updateTable('users')
    .set({ name: 'Somebody Else' })
    .where('email', '=', 'seller@coomercio.example')
    .execute();
  await connection.database.deleteFrom('users').where('email', '=', demoBuyer.email).execute();
  await connection.database.deleteFrom('laptops').where('brand', '=', 'Acer').execute();
  await fillWithSmallPictures();
  expect((await listAllLaptops()).some(({ category_Id: brand }) => brand === 'Acer')).toBe(false);
});

it('does nothing if the password of the demo buyer was changed', async () => {
  const password = 'harbour-Lantern#7193';
  await postJson('/identity/sign-up/email', { ...demoBuyer, password });
  await fillWithSmallPictures();
  expect(await listAllLaptops()).toEqual([]);
});
