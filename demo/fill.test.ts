import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startCardSandbox } from '@coomercio/card-sandbox';
import { sql } from 'kysely';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as catalogue from '#contract/listings/catalogue.ts';
import { photoKinds } from '#contract/listings/photo-kinds.ts';
import { createClient } from '#contract/platform/client.ts';
import { startMail } from '#sandbox/mail/start.ts';
import { type Config, readConfig } from '#server/operations/configuration/config.ts';
import { fillEmptyShop } from '#server/operations/trial/demo-data.ts';
import { grantAdmin } from '#server/people/accounts/steps.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { openShop } from '#server/shop.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { demoBuyer, demoSellers } from './accounts.ts';
import { demoConversations } from './conversations.ts';
import { demoAccounts, demoPassword, type FillOptions, fillShop } from './fill.ts';
import { demoLaptops } from './laptops.ts';
import { lockedLaptop } from './measure.ts';
import { listPictures } from './pictures.ts';
import { demoSales } from './sold-laptops.ts';

// Storing all photos takes most of this time, and several times as long while other programs use the processor.
vi.setConfig({ testTimeout: 150_000 });

let folder: string;
let database: TestDatabase;
let connection: Connection;
let shop: Awaited<ReturnType<typeof openShop>>;
let origin: string;
let photoKey: string;
let config: Config;
let mail: Awaited<ReturnType<typeof startMail>>;
let cards: Awaited<ReturnType<typeof startCardSandbox>>;

const cardKeys = { secretKey: 'sk_test_', publishableKey: 'pk_test_', webhookSecret: 'whsec_' };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-demo-'));
  database = await createTestDatabase();
  connection = connect(database.url, () => undefined);
  mail = await startMail({ smtpPort: 0, httpPort: 0, dataFolder: join(folder, 'mail') });
  const port = await freePorts(1);
  origin = `http://127.0.0.1:${port}`;
  cards = await startCardSandbox({
    ...cardKeys,
    port: 0,
    dataFolder: join(folder, 'cards'),
    webhookUrl: `${origin}/webhooks/stripe`,
  });
  config = readConfig({ PORT: String(port), PUBLIC_ORIGIN: origin, COOMERCIO_DATA: folder });
  const secrets = await openSecrets(null, folder);
  photoKey = secrets.photoKey;
  shop = await openShop({
    config,
    secrets,
    providers: {
      cards: {
        ...cardKeys,
        apiUrl: cards.origin,
        scriptUrl: `${cards.origin}/stripe.js`,
      },
      google: null,
      carriers: null,
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
  await cards.close();
  await mail.close();
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const fill = (changes: Partial<FillOptions> = {}) =>
  fillShop({
    currency: 'USD',
    origin,
    photoKey,
    inboxUrl: mail.inboxUrl,
    grantAdmin: async (email) => void (await grantAdmin(connection.database, email)),
    ...changes,
  });

/** Makes one small picture per laptop, for tests that do not check the photos. @returns their folder and number */
async function makeSmallPictures(): Promise<{ picturesFolder: URL; count: number }> {
  const pictures = join(folder, 'pictures');
  await mkdir(pictures, { recursive: true });
  const names = await readdir(new URL('./photos/', import.meta.url));
  const mainNames = names.filter((each) => /-(open|off)\.webp$/.test(each));
  // The shop stores the same picture once, so each has a colour of its own.
  for (const [index, name] of mainNames.entries()) {
    const background = { r: index, g: 120, b: 120 };
    const picture = sharp({ create: { width: 320, height: 240, channels: 3, background } });
    await writeFile(join(pictures, name), await picture.webp({ lossless: true }).toBuffer());
  }
  const picturesFolder = pathToFileURL(`${pictures}/`);
  const used = [...(await listPictures(demoLaptops, picturesFolder)).values()].flat();
  return { picturesFolder, count: new Set(used.map(({ file }) => file.href)).size };
}

/** Fills the shop with small pictures, and aborts at a step after their upload. */
async function fillUntil(step: number): Promise<void> {
  const { picturesFolder, count } = await makeSmallPictures();
  await expect(fill({ picturesFolder, signal: abortAt(1 + count + step) }), `step ${step}`).rejects.toThrow(
    'aborted',
  );
}

async function fillWithSmallPictures(): Promise<void> {
  const { picturesFolder } = await makeSmallPictures();
  await fill({ picturesFolder });
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

/** Each sale is completed once with both reviews, each conversation has its messages, and the meeting is agreed. */
async function expectSalesAndConversations(): Promise<void> {
  const { rows: reviews } = await sql<{ laptop: string; side: string; text: string; answer: string | null }>`
    select laptops.name as laptop, side, text, answer from reviews
      join orders on orders.id = order_id join laptops on laptops.id = orders.laptop_id
     where shown_at is not null and released_at is not null`.execute(connection.database);
  const ended = demoSales.flatMap(({ laptop, reviews: written }) =>
    written ? [{ laptop, ...written }] : [],
  );
  expect(reviews).toHaveLength(2 * ended.length);
  expect(reviews).toEqual(
    expect.arrayContaining(
      ended.flatMap(({ laptop: { name: laptop }, ofSeller, ofBuyer }) => [
        { laptop, side: 'buyer', text: ofSeller.text, answer: ofSeller.answer ?? null },
        { laptop, side: 'seller', text: ofBuyer.text, answer: null },
      ]),
    ),
  );
  const { rows: sent } = await sql<{ state: string }>`
    select state from orders where delivery = 'ship' order by state`.execute(connection.database);
  expect(sent).toEqual([{ state: 'released' }, { state: 'shipped' }]);
  const { rows: conversations } = await sql<{ laptop: string; messages: string[]; meeting: string | null }>`
    select laptops.name as laptop, array_agg(messages.text order by sequence) as messages, max(meetings.state) as meeting
      from conversations join laptops on laptops.id = laptop_id join messages on conversation_id = conversations.id
      left join meetings on meetings.conversation_id = conversations.id
     group by conversations.id, laptops.name`.execute(connection.database);
  expect(conversations).toHaveLength(demoConversations.length);
  expect(conversations).toEqual(
    expect.arrayContaining(
      demoConversations.map(({ laptop, messages, meeting }) => ({
        laptop,
        messages: messages.map(([, text]) => text),
        meeting: meeting === undefined ? null : 'agreed',
      })),
    ),
  );
}

function postJson(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

it('fills an empty shop through the API, and only once for concurrent and repeated calls', async () => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const fillEmpty = () =>
    fillEmptyShop(
      config,
      { directUrl: database.url, photoKey, inboxUrl: mail.inboxUrl, log },
      new AbortController().signal,
    );
  await Promise.all([fillEmpty(), fillEmpty()]);
  // The second one waited for the first, and found the data complete.
  expect(lines).toEqual([expect.stringMatching(/^Filling /), expect.stringMatching(/^Filled /)]);
  const laptops = await listAllLaptops();
  expect(namesOf(laptops)).toEqual(namesForSale);
  expect(Map.groupBy(laptops, ({ level }) => level).get('inspected_hand')).toHaveLength(1);
  expect(Map.groupBy(laptops, ({ level }) => level).get('inspected_photos')).toHaveLength(3);
  expect(Map.groupBy(laptops, ({ level }) => level).get('measured')).toHaveLength(9);
  expect(new Map(laptops.map((laptop) => [laptop.sellers_name, laptop.sellerVerified]))).toEqual(
    new Map(demoSellers.map(({ name, verified }) => [name, verified])),
  );
  const pictures = await listPictures(demoLaptops);
  for (const { name, images, captions = {} } of laptops) {
    const expected = pictures.get(name) ?? [];
    expect(
      images.map((url) => captions[url] ?? null),
      name,
    ).toEqual(expected.map(({ caption, kind }) => caption ?? (kind && photoKinds[kind])));
  }
  const shown = new Set(laptops.flatMap(({ images }) => images));
  const files = new Set(
    laptops.flatMap(({ name }) => (pictures.get(name) ?? []).map(({ file }) => file.href)),
  );
  expect(shown.size, 'a picture is uploaded once').toBe(files.size);
  for (const url of laptops[0]?.images ?? []) {
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
  }
  const advertised = await visitor().call(catalogue.listAdvertisements, { query: {} });
  expect(advertised.map(({ level }) => level).sort()).toEqual([
    'inspected_photos',
    ...['measured', 'measured', 'measured'],
  ]);
  const times = (await listAllLaptops()).slice(0, 8).map((laptop) => Date.parse(laptop.posted_time));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  const users = await connection.database
    .selectFrom('users')
    .select(['email', 'is_buyer', 'is_seller', 'is_admin', 'email_verified'])
    .execute();
  expect(users).toHaveLength(demoAccounts.length);
  expect(users).toEqual(
    expect.arrayContaining(
      demoAccounts.map(({ email, role }) => ({
        email,
        is_buyer: role === 'Buyer',
        is_seller: role === 'Seller',
        is_admin: role === 'Admin',
        email_verified: true,
      })),
    ),
  );
  const sessions = await sql`select id from identity.session`.execute(connection.database);
  expect(sessions.rows, 'sessions that the demo has left open').toEqual([]);
  for (const { email } of demoAccounts) {
    const signIn = await postJson('/identity/sign-in/email', { email, password: demoPassword });
    expect(signIn.status).toBe(200);
  }
  await expectSalesAndConversations();

  await connection.database.deleteFrom('laptops').where('name', '=', 'Dell G15 5520').execute();
  await fill({ log });
  expect(await listAllLaptops()).toHaveLength(namesForSale.length - 1);
  expect(lines).toHaveLength(2);
});

/** A signal that aborts at a step of the fill. */
function abortAt(step: number): AbortSignal {
  const { signal } = new AbortController();
  let steps = 0;
  vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => {
    steps += 1;
    if (steps === step) throw new Error('aborted');
  });
  return signal;
}

it('completes the demo data after aborted runs', async () => {
  await expect(fill({ photoKey: 'not the key' })).rejects.toThrow('The image host did not take the picture');
  expect(await listAllLaptops()).toEqual([]);
  // While laptops are listed, after the first sale, and before the last conversation.
  const listed = demoLaptops.length + demoSales.length;
  for (const step of [30, listed + 2, listed + demoSales.length + demoConversations.length]) {
    await fillUntil(step);
  }
  await fillWithSmallPictures();
  expect(namesOf(await listAllLaptops())).toEqual(namesForSale);
  expect(await visitor().call(catalogue.listAdvertisements, { query: {} })).toHaveLength(4);
  await expectSalesAndConversations();
});

it('does nothing in a shop with laptops of another seller', async () => {
  await fillUntil(30);
  const listed = await listAllLaptops();
  await connection.database
    .updateTable('users')
    .set({ name: 'Somebody Else' })
    .where('email', '=', 'seller@coomercio.example')
    .execute();
  await fillWithSmallPictures();
  expect(await listAllLaptops()).toHaveLength(listed.length);
});

it('does nothing if the password of the demo buyer was changed', async () => {
  const password = 'harbour-Lantern#7193';
  await postJson('/identity/sign-up/email', { ...demoBuyer, password });
  await fillWithSmallPictures();
  expect(await listAllLaptops()).toEqual([]);
});
