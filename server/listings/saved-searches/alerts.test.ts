import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { deleteOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  type NewSavedSearch,
  saveSearch,
} from '#contract/listings/saved-searches.ts';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { measure } from '#server/certification/certificates/testing/measure.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { returnLostAlerts } from './email-store.ts';

let shop: TestShop;
let seller: Person;
let failures: Error[] = [];

beforeAll(async () => {
  const verified = { email_verified: true };
  const sent: TestShop['mails'] = [];
  shop = await startTestShop({
    tasksEveryMs: 500,
    dependencies: async () => ({
      emailSender: {
        send: async (mail) => {
          sent.push(mail);
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
        },
        deliver: async () => undefined,
        verify: async () => undefined,
        close: () => undefined,
      },
    }),
  });
  shop.mails = sent;
  seller = await shop.seller('Sam Seller', verified);
});
afterAll(() => shop.close());
afterEach(() => {
  failures = [];
  shop.mails.length = 0;
});

type Laptop = Parameters<TestShop['laptop']>[1];
const list = (laptop: Laptop = {}, by = seller) =>
  shop.laptop(by, { name: 'Latitude 7420', category_Id: 'Dell', resale_price: 500, ...laptop });

const buyer = () => shop.buyer('Bea Buyer', { email_verified: true });

/** Saves a search for a new buyer. */
async function save(
  filters: z.input<typeof NewSavedSearch>['filters'],
  frequency: 'at once' | 'daily' = 'at once',
  owner?: Person,
) {
  const person = owner ?? (await buyer());
  const { insertedId: id } = await person.client.call(saveSearch, {
    body: { name: 'My search', filters, frequency },
  });
  return { id, person, params: { _id: id } };
}

const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);
const setPrice = (id: string, dollars: number) =>
  query('update laptops set resale_price_cents = $2 where id = $1', [id, dollars * 100]);

/** Waits until all changes are matched and all due emails are sent. */
async function settled(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await query(
        `select exists (select from laptops_to_match) or exists (select from saved_searches where due_at <= now()) as busy`,
      );
      return rows[0]?.busy;
    })
    .toBe(false);
  await waitForEmptyQueue(shop.connection.pool);
}

/** Lets a time pass for all searches. */
const pass = (interval: string) =>
  query(
    `update saved_searches set created_at = created_at - $1::interval, last_email_at = last_email_at - $1::interval,
            due_at = due_at - $1::interval`,
    [interval],
  );

const mailsTo = ({ email }: Person) => shop.mails.filter(({ to }) => to === email);
const subjectsTo = (person: Person) => mailsTo(person).map(({ subject }) => subject);

test('emails a laptop that newly matches, once, with its price, condition and links', async () => {
  const { person, id } = await save({ brand: 'Dell', q: 'latitude 7420' });
  const laptop = await list();
  await list({ name: 'Latitude 5420' });
  await settled();
  await setPrice(laptop, 550);
  await settled();
  await pass('1 hour');
  await settled();
  expect(mailsTo(person)).toHaveLength(1);
  const [mail] = mailsTo(person);
  expect(mail?.subject).toBe('1 new laptop for “My search”');
  expect(mail?.text).toContain(
    `Latitude 7420\n$500.00, condition excellent\n${shop.origin}/laptop/${laptop}`,
  );
  expect(mail?.text).toContain(`${shop.origin}/laptops?q=latitude+7420&brand=Dell`);
  expect(mail?.unsubscribe?.url).toMatch(new RegExp(`^${shop.origin}/unsubscribe/[\\w-]{64}$`));
  expect(mail?.text).toContain(mail?.unsubscribe?.url);
  const { rows } = await query('select * from saved_search_news where search_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('emails a laptop that is edited into the match or whose seller is verified; one that returns only when it costs less', async () => {
  const verified = await save({ verified: 'yes', q: 'vostro' });
  const cheap = await save({ max_price: 300, q: 'vostro' });
  const any = await save({ q: 'vostro' });
  const other = await shop.seller('Una Unverified', { email_verified: true });
  const laptop = await list({ name: 'Vostro 3500' }, other);
  await settled();
  expect([verified, cheap, any].map(({ person }) => mailsTo(person).length)).toEqual([0, 0, 1]);
  await (await shop.admin()).client.call(verifySeller, { params: { email: other.email }, query: {} });
  await settled();
  expect([verified, cheap, any].map(({ person }) => mailsTo(person).length)).toEqual([1, 0, 1]);
  await setPrice(laptop, 299);
  await settled();
  await pass('1 hour');
  await settled();
  expect(subjectsTo(cheap.person)).toEqual(['1 new laptop for “My search”']);
  expect(subjectsTo(any.person)).toEqual(['1 new laptop for “My search”', '1 price drop for “My search”']);
  const told = () => [verified, cheap, any].map(({ person }) => mailsTo(person).length);
  const params = { _id: laptop };
  const relist = async (dollars = 299) => {
    await other.client.call(deleteOwnLaptop, { params });
    await settled();
    await setPrice(laptop, dollars);
    await other.client.call(relistLaptop, { params, body: {} });
    await settled();
    await pass('1 hour');
    await settled();
  };
  expect(told()).toEqual([2, 1, 2]);
  await relist();
  await relist();
  // Out of the match and back.
  for (const dollars of [320, 299]) {
    await setPrice(laptop, dollars);
    await settled();
  }
  await pass('1 hour');
  await settled();
  expect(told()).toEqual([2, 1, 2]);
  const later = await save({ q: 'vostro' });
  await relist(280);
  expect(told()).toEqual([3, 2, 3]);
  expect(mailsTo(cheap.person)[1]?.subject).toBe('1 price drop for “My search”');
  expect(mailsTo(cheap.person)[1]?.text).toContain('Now $280.00, before $299.00');
  // A search that told of it nothing knows it from its results only while it is for sale.
  expect(subjectsTo(later.person)).toEqual(['1 new laptop for “My search”']);
});

test('emails a laptop whose changed configuration newly matches', async () => {
  const { person } = await save({ q: '512gb nvme' });
  const laptop = await list({ description: { Storage: '512 GB SATA SSD' } });
  await settled();
  expect(mailsTo(person)).toEqual([]);
  await changeListing(seller, laptop, { description: { Storage: '512 GB NVMe SSD' } });
  await settled();
  expect(subjectsTo(person)).toEqual(['1 new laptop for “My search”']);
});

test('emails a price drop only when the price is lower than any since the search was saved', async () => {
  const laptop = await list({ name: 'Inspiron 15' });
  await settled();
  const { person } = await save({ q: 'inspiron' });
  const prices = async (...dollars: number[]) => {
    for (const each of dollars) {
      await setPrice(laptop, each);
      await settled();
      await pass('1 hour');
      await settled();
    }
  };
  await prices(600, 500);
  expect(mailsTo(person)).toEqual([]);
  await prices(450, 480, 450, 460);
  expect(mailsTo(person)).toHaveLength(1);
  expect(mailsTo(person)[0]?.text).toContain('Now $450.00, before $500.00, condition excellent');
  await prices(440);
  expect(mailsTo(person)).toHaveLength(2);
  expect(mailsTo(person)[1]?.text).toContain('Now $440.00, before $460.00');
});

test('emails neither own laptops nor those that were for sale before, sold since, or edited out of the match', async () => {
  const before = await list({ name: 'Precision 1' });
  const own = await save({ q: 'precision' }, 'at once', seller);
  const { person } = await save({ q: 'precision', max_price: 500 }, 'daily');
  await setPrice(before, 501);
  const sold = await list({ name: 'Precision 2' });
  const edited = await list({ name: 'Precision 3' });
  await settled();
  await query(`update laptops set state = 'withdrawn' where id = $1`, [sold]);
  await setPrice(edited, 900);
  await pass('1 day');
  await settled();
  expect(mailsTo(person)).toEqual([]);
  expect(mailsTo(own.person)).toEqual([]);
});

test('a daily search is emailed once a day, about everything of that day', async () => {
  const { person } = await save({ q: 'aspire' }, 'daily');
  await list({ name: 'Aspire 1' });
  await settled();
  expect(mailsTo(person)).toEqual([]);
  await pass('25 hours');
  await settled();
  expect(subjectsTo(person)).toEqual(['1 new laptop for “My search”']);
  await list({ name: 'Aspire 2' });
  const dropped = await list({ name: 'Aspire 3' });
  await settled();
  await pass('23 hours');
  await setPrice(dropped, 400);
  await settled();
  expect(mailsTo(person)).toHaveLength(1);
  await pass('1 hour');
  await settled();
  expect(subjectsTo(person)[1]).toBe('2 new laptops for “My search”');
  expect(mailsTo(person)[1]?.text).toContain('$400.00');
});

test('an immediate search is emailed at most every 15 minutes, and lists ten laptops', async () => {
  const { person, params } = await save({ q: 'chromebook' }, 'daily');
  await list({ name: 'Chromebook 0' });
  await settled();
  await person.client.call(changeSavedSearch, { params, body: { frequency: 'at once' } });
  await settled();
  expect(mailsTo(person)).toHaveLength(1);
  for (let number = 1; number <= 12; number += 1) await list({ name: `Chromebook ${number}` });
  await settled();
  await pass('14 minutes');
  await settled();
  expect(mailsTo(person)).toHaveLength(1);
  await pass('1 minute');
  await settled();
  expect(subjectsTo(person)[1]).toBe('12 new laptops for “My search”');
  const text = mailsTo(person)[1]?.text ?? '';
  expect(text.match(/^Chromebook \d+$/gm)).toHaveLength(10);
  expect(text).toContain('And 2 more.');
});

test('a listing that commits after a later search was saved is emailed', async () => {
  const client = await shop.connection.pool.connect();
  let first: Awaited<ReturnType<typeof save>>;
  const { rows } = await query('select * from laptops where id = $1', [await list({ name: 'Swift 1' })]);
  // While any transaction of the server is open, also one of another database, a search does not know what was matched before it.
  await settled();
  try {
    await client.query('begin');
    await client.query(
      `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents, resale_price_cents,
                            posted_time, use_time, mobile_number, condition)
       select brand, seller_id, 'Swift 9', location, images, description, original_price_cents, resale_price_cents,
              posted_time, use_time, mobile_number, condition from laptops where id = $1`,
      [rows[0].id],
    );
    first = await save({ q: 'swift' });
    // A later transaction is matched while the earlier one is open.
    await list({ name: 'Swift 2' });
    await settled();
    expect(mailsTo(first.person)[0]?.text).toContain('Swift 2');
    await client.query('commit');
  } finally {
    client.release();
  }
  await settled();
  await pass('1 hour');
  await settled();
  expect(mailsTo(first.person)[1]?.text).toContain('Swift 9');
  expect(mailsTo(first.person)).toHaveLength(2);
});

test('an email is sent again with the same id when the process ends before it records the sending', async () => {
  const { person } = await save({ q: 'spin' });
  failures = [new Error('killed')];
  await list({ name: 'Spin 5' });
  await expect.poll(() => mailsTo(person).length).toBe(2);
  const [one, again] = mailsTo(person);
  expect(again).toEqual(one);
  expect(one?.id).toMatch(/^[\w-]{36}$/);
});

test('the alerts of a lost email are sent with the next one', async () => {
  const { person, id } = await save({ q: 'nitro' });
  await list({ name: 'Nitro 5' });
  await settled();
  const { rows } = await query(`select id from laptops where name = 'Nitro 5'`);
  await query(
    `insert into saved_search_news (search_id, laptop_id, email_id, emailed_at)
     values ($1, $2, gen_random_uuid(), now() - interval '4 days')`,
    [id, rows[0].id],
  );
  await returnLostAlerts(shop.connection.database);
  await pass('1 hour');
  await settled();
  expect(mailsTo(person)).toHaveLength(2);
});

test('no email goes to a paused or deleted search, or to an unverified address', async () => {
  const paused = await save({ q: 'predator' });
  await paused.person.client.call(changeSavedSearch, { params: paused.params, body: { paused: true } });
  const deleted = await save({ q: 'predator' });
  await deleted.person.client.call(deleteSavedSearch, { params: deleted.params });
  const stranger = await shop.buyer('Una Known', { email_verified: false });
  await save({ q: 'predator' }, 'at once', stranger);
  await list({ name: 'Predator 1' });
  await settled();
  expect(shop.mails).toEqual([]);
  await paused.person.client.call(changeSavedSearch, { params: paused.params, body: { paused: false } });
  await list({ name: 'Predator 2' });
  await settled();
  expect(mailsTo(paused.person)[0]?.text).not.toContain('Predator 1');
  expect(shop.mails).toHaveLength(1);
  // Once the address is verified, laptops are looked for.
  await query('update users set email_verified = true where id = $1', [stranger.userId]);
  await list({ name: 'Predator 3' });
  await settled();
  expect(subjectsTo(stranger)).toEqual(['1 new laptop for “My search”']);
});

test('reports a laptop whose measured battery newly matches', async () => {
  const { person } = await save({ battery: [90] });
  const own = () => shop.mails.filter(({ to }) => to === person.email);
  const id = await list({ condition: 'Good', description: { Memory: '16 GB', Battery: '85 %' } });
  await settled();
  expect(own()).toEqual([]);
  await measure(shop, seller, id, { health: 93 });
  await settled();
  expect(own()).toMatchObject([{ text: expect.stringContaining('Latitude 7420') }]);
});

test('words for a purpose and a price alert for the laptops that their page shows', async () => {
  const { person, params } = await save({ q: 'gaming under $600 near lisbon' });
  const description = { Graphics: 'NVIDIA GeForce RTX 3060', Memory: '16 GB' };
  await list({ name: 'Nitro within', description, resale_price: 590 });
  await list({ name: 'Nitro above', description, resale_price: 610 });
  await list({ name: 'Gaming without graphics', resale_price: 300 });
  await settled();
  const texts = mailsTo(person).map(({ text }) => text);
  expect(texts.join()).toContain('Nitro within');
  expect(texts.join()).not.toMatch(/Nitro above|Gaming without/);
  const saved = await person.client.call(listSavedSearches, {});
  expect(saved.find(({ _id }) => _id === params._id)?.filters).toMatchObject({
    graphics: ['dedicated'],
    max_price: 600,
  });
});
