import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  MAXIMUM_SAVED_SEARCHES,
  type NewSavedSearch,
  saveSearch,
} from '#contract/listings/saved-searches.ts';
import { readSubscription } from '#contract/listings/subscriptions.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { deleteBuyer } from '#contract/operations/user-admin.ts';
import { exchangeToken } from '#contract/people/accounts.ts';
import { createUnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import { type Person, startTestShop, type TestShop, unsubscribeKey } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ limited: true });
});
afterAll(() => shop.close());

type Filters = z.input<typeof NewSavedSearch>['filters'];
const save = (person: Person, filters: Filters, name = 'My search') =>
  person.client.call(saveSearch, { body: { name, filters, frequency: 'daily' } });
const list = (person: Person) => person.client.call(listSavedSearches, {});
const buyer = () => shop.buyer('Bea Buyer', { email_verified: true });

test('a user lists, renames, pauses and deletes own searches only', async () => {
  const [person, stranger] = [await buyer(), await buyer()];
  const { insertedId: _id } = await save(person, { brand: ['HP', 'Dell'], max_price: '900' });
  const params = { _id };
  expect(await list(person)).toEqual([
    expect.objectContaining({
      _id,
      name: 'My search',
      filters: expect.objectContaining({ brand: ['Dell', 'HP'], max_price: 900 }),
      frequency: 'daily',
      paused: false,
      emailVerified: true,
      lastEmailAt: null,
    }),
  ]);
  const body = { name: 'Cheap', frequency: 'at once', paused: true } as const;
  await expect(stranger.client.call(changeSavedSearch, { params, body })).rejects.toMatchObject({
    status: 404,
  });
  await person.client.call(changeSavedSearch, { params, body });
  expect(await list(person)).toMatchObject([body]);
  expect(await list(stranger)).toEqual([]);
  expect(await stranger.client.call(deleteSavedSearch, { params })).toMatchObject({ deletedCount: 0 });
  expect(await person.client.call(deleteSavedSearch, { params })).toMatchObject({ deletedCount: 1 });
  expect(await list(person)).toEqual([]);
});

test('searches from before the address was proven stay, unless its owner took the account from somebody else', async () => {
  for (const [claims, left] of [
    [{ email_verified: true }, 1],
    [{ email_verified: true, email_reclaimed: true }, 0],
  ] as const) {
    const person = await shop.buyer('Una Known', { email_verified: false });
    await save(person, { q: 'predator' }, 'Your payment failed. Call the shop');
    const proven = shop.client(await shop.issuer.idToken(person.email, claims));
    const exchange = () => proven.call(exchangeToken, { query: { email: person.email } });
    await exchange();
    expect(await list(person)).toHaveLength(left);
    // Later ones are the owner's.
    await save(person, { q: 'swift' });
    await exchange();
    expect(await list(person)).toHaveLength(left + 1);
  }
});

test('a search that is saved again is the existing one, however it is written', async () => {
  const person = await buyer();
  const { insertedId } = await save(person, { q: '16 GB  Thinkpád', brand: ['Dell', 'HP'] });
  const again = await save(person, { q: '16gb thinkpad', brand: ['HP', 'Dell', 'HP'], place: [] }, 'Other');
  expect(again.insertedId).toBe(insertedId);
  expect(again.message).toContain('before');
  // Of the last word the beginning counts, so the order of words does.
  expect((await save(person, { q: 'thinkpad 16gb', brand: ['HP', 'Dell'] })).insertedId).not.toBe(insertedId);
  expect(await list(person)).toHaveLength(2);
});

test.each<[string, Filters, RegExp]>([
  ['no filter', {}, /choose a filter/],
  ['only words that are ignored', { q: 'the laptop' }, /choose a filter/],
  [
    'too many bytes',
    { place: Array.from({ length: 50 }, (_, at) => `${at} ${'é'.repeat(100)}`) },
    /too many/,
  ],
  ['an unknown filter value', { system: 'amiga' }, /Unknown/],
])('refuses a search with %s', async (_what, filters, sentence) => {
  const person = await buyer();
  await expect(save(person, filters)).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(sentence),
  });
  expect(await list(person)).toEqual([]);
});

test('keeps a limited number of searches per user, also of concurrent requests', async () => {
  const person = await buyer();
  const outcomes = await Promise.allSettled(
    Array.from({ length: MAXIMUM_SAVED_SEARCHES + 5 }, (_, price) => save(person, { min_price: price + 1 })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAXIMUM_SAVED_SEARCHES);
  await expect(save(person, { min_price: 500 })).rejects.toMatchObject({
    code: 'too_many_saved_searches',
    message: expect.stringContaining('delete one'),
  });
  // The limit of requests.
  const more = Array.from({ length: 200 }, () => save(person, { min_price: 1 }));
  const refused = (await Promise.allSettled(more)).filter(({ status }) => status === 'rejected');
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } });
});

test('searches go with the account', async () => {
  const [leaving, ended] = [await buyer(), await buyer()];
  await save(leaving, { q: 'zenbook' }, 'Her secret wish');
  await save(ended, { q: 'zenbook' });
  await leaving.client.call(deleteOwnAccount, { query: { email: leaving.email } });
  const admin = await shop.admin();
  await admin.client.call(deleteBuyer, { params: { _id: ended.userId } });
  const { rows } = await shop.connection.pool.query('select * from saved_searches where user_id = any ($1)', [
    [leaving.userId, ended.userId],
  ]);
  expect(rows).toEqual([]);
});

const tokenOf = (url: string) => url.split('/').at(-1) ?? '';
const linkOf = (searchId: string) =>
  createUnsubscribeLinks(shop.origin, [unsubscribeKey]).urlOfSearch(searchId);
const oneClick = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (url: string, init: RequestInit = {}) =>
  fetch(url, {
    method: 'POST',
    headers: oneClick,
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
    ...init,
  });

test('a mail program stops the emails of one search by a POST, and repeating it changes nothing', async () => {
  const person = await buyer();
  const { insertedId: first } = await save(person, { q: 'zenbook' });
  await save(person, { q: 'vivobook' });
  const url = linkOf(first);
  const subscription = () => shop.visitor.call(readSubscription, { params: { token: tokenOf(url) } });
  expect(await subscription()).toEqual({ name: 'My search', topic: null, active: true });
  expect((await fetch(url, { redirect: 'manual' })).ok).toBe(false);
  expect(await subscription()).toMatchObject({ active: true });

  const headers = {
    ...oneClick,
    origin: 'https://mail.example',
    cookie: 'a=b',
    'sec-fetch-site': 'cross-site',
  };
  const response = await post(url, { headers });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('stopped');
  expect(await subscription()).toEqual({ name: 'My search', topic: null, active: false });
  expect((await list(person)).map(({ paused }) => paused)).toEqual([false, true]);
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
  expect((await fetch(url, { method: 'POST' })).status).toBe(200);

  // Resumed on the page of saved searches; the link of the old email works again.
  await person.client.call(changeSavedSearch, { params: { _id: first }, body: { paused: false } });
  expect(await subscription()).toMatchObject({ active: true });
  await person.client.call(deleteSavedSearch, { params: { _id: first } });
  expect((await post(url)).status).toBe(200);
  expect(await subscription()).toEqual({ name: null, topic: null, active: false });
});

test('the form of the page is answered by the page', async () => {
  const { insertedId } = await save(await buyer(), { q: 'zenbook' });
  const response = await post(linkOf(insertedId), { body: 'List-Unsubscribe=One-Click&page=yes' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(new URL(linkOf(insertedId)).pathname);
});

test('guessed, altered and foreign links stop nothing', async () => {
  const person = await buyer();
  const { insertedId } = await save(person, { q: 'zenbook' });
  const url = linkOf(insertedId);
  const token = tokenOf(url);
  const otherKey = createUnsubscribeLinks(shop.origin, [new Uint8Array(32)]).urlOfSearch(insertedId);
  const altered = Array.from(
    token,
    (character, at) => `${token.slice(0, at)}${character === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
  );
  const guesses = [
    ...altered,
    tokenOf(otherKey),
    insertedId,
    token.slice(1),
    `${token}A`,
    'x'.repeat(64),
    '%00',
  ];
  for (const guess of guesses) {
    const response = await post(`${shop.origin}/unsubscribe/${guess}`);
    expect(response.status, guess).toBe(404);
    await expect(shop.visitor.call(readSubscription, { params: { token: guess } })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('This link is incomplete'),
    });
  }
  const large = await post(url, { body: 'x'.repeat(10_000) });
  expect(large.status).toBe(413);
  expect(await list(person)).toMatchObject([{ paused: false }]);
});

test('links that a previous key signed stay valid', () => {
  const [present, previous] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const id = crypto.randomUUID();
  const old = createUnsubscribeLinks('https://shop.example', [previous]).urlOfSearch(id);
  const links = createUnsubscribeLinks('https://shop.example', [present, previous]);
  expect(links.read(tokenOf(old))).toEqual({ kind: 'search', searchId: id });
  expect(links.urlOfSearch(id)).not.toBe(old);
});
