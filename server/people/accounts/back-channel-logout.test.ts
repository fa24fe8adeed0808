import { beforeAll, describe, expect, test } from 'vitest';
import * as contract from '#contract/people/accounts.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { removeExpiredSessionRecords } from './back-channel-logout.ts';

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };

function tell(logoutToken: string) {
  return fetch(`${shop.origin}/back-channel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: logoutToken }),
  });
}

/** Somebody who has signed in by a session of this name. */
async function signedIn(sid: string) {
  const { email } = await shop.buyer();
  const idToken = await shop.issuer.idToken(email, { sid });
  const exchange = () => shop.client(idToken).call(contract.exchangeToken, { query: { email } });
  const { coomercioToken } = await exchange();
  return { email, idToken, exchange, token: coomercioToken, client: shop.client(coomercioToken) };
}

describe('when the identity provider reports an ended session', () => {
  test('its tokens stop working: neither the shop’s token nor a token exchange is accepted', async () => {
    const buyer = await signedIn('desk');
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toEqual([]);
    const answer = await tell(await shop.issuer.idToken(buyer.email, { sid: 'desk', events }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const refused = { status: 401, code: 'session_ended', message: expect.stringContaining('sign in again') };
    await expect(buyer.client.call(listBookings, { query: {} })).rejects.toMatchObject(refused);
    await expect(buyer.exchange()).rejects.toMatchObject(refused);
    const registering = shop
      .client(buyer.idToken)
      .call(contract.registerUser, { body: { name: 'Nia', email: buyer.email, role: 'Buyer' } });
    await expect(registering).rejects.toMatchObject(refused);
  });

  test('another session of the same user stays valid', async () => {
    const phone = await signedIn('phone');
    await tell(await shop.issuer.idToken(phone.email, { sid: 'elsewhere', events }));
    await expect(phone.client.call(listBookings, { query: {} })).resolves.toEqual([]);
    const unnamed = await shop.buyer();
    await expect(unnamed.client.call(listBookings, { query: {} })).resolves.toEqual([]);
  });

  test('a repeated logout token is accepted', async () => {
    const token = await shop.issuer.idToken('nobody@people.example', { sid: 'twice', events });
    expect((await tell(token)).status).toBe(200);
    expect((await tell(token)).status).toBe(200);
  });
});

test('logout tokens of other issuers and tokens of other kinds are rejected', async () => {
  const buyer = await signedIn('steady');
  const sid = 'steady';
  const past = Math.floor(Date.now() / 1000) - 60;
  const tokens = {
    'an ID token': buyer.idToken,
    'an ID token with a nonce': await shop.issuer.idToken(buyer.email, { sid, events, nonce: 'n' }),
    'another event': await shop.issuer.idToken(buyer.email, { sid, events: { 'https://else.example': {} } }),
    'no session': await shop.issuer.idToken(buyer.email, { events }),
    'an old one': await shop.issuer.idToken(buyer.email, { sid, events, exp: past }),
    'for another shop': await shop.issuer.idToken(buyer.email, { sid, events, aud: 'another-shop' }),
    'an unpublished key': await shop.issuer.forgedIdToken(buyer.email, { sid, events }),
    'the shop’s own token': buyer.token,
    garbage: 'not.a.token',
  };
  for (const [name, token] of Object.entries(tokens)) expect((await tell(token)).status, name).toBe(400);
  const asJson = await fetch(`${shop.origin}/back-channel-logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(asJson.status).toBe(415);
  await expect(buyer.client.call(listBookings, { query: {} })).resolves.toEqual([]);
});

test('ended sessions are stored for a day, longer than any token is valid', async () => {
  const buyer = await signedIn('yesterday');
  await tell(await shop.issuer.idToken(buyer.email, { sid: 'yesterday', events }));
  const { database } = shop.connection;
  const moved = (hours: number) =>
    database
      .updateTable('ended_sessions')
      .set({ forget_at: new Date(Date.now() + hours * 3_600_000) })
      .where('id', '=', 'yesterday')
      .execute();
  const { forget_at: until } = await database
    .selectFrom('ended_sessions')
    .select('forget_at')
    .where('id', '=', 'yesterday')
    .executeTakeFirstOrThrow();
  expect(until.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await moved(1);
  await removeExpiredSessionRecords(database);
  await expect(buyer.client.call(listBookings, { query: {} })).rejects.toMatchObject({
    code: 'session_ended',
  });
  await moved(-1);
  await removeExpiredSessionRecords(database);
  await expect(
    database.selectFrom('ended_sessions').select('id').where('id', '=', 'yesterday').execute(),
  ).resolves.toEqual([]);
});

test.each<[string, unknown]>([
  ['a NUL', 'desk\u0000'],
  ['a line break', 'desk\n'],
  ['301 characters', 's'.repeat(301)],
  ['a number', 7],
  ['an object', { sid: 'desk' }],
  ['nothing', ''],
])('a session id that is %s is rejected as malformed', async (_, sid) => {
  const answer = await tell(await shop.issuer.idToken('odd@people.example', { sid, events }));
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
});

test.each([null, 'ended', [], { 'http://schemas.openid.net/event/backchannel-logout': null }])(
  'events of the shape %j are rejected as malformed',
  async (odd) => {
    const answer = await tell(await shop.issuer.idToken('odd@people.example', { sid: 'desk', events: odd }));
    expect(answer.status).toBe(400);
  },
);
