import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listBrands } from '#contract/listings/catalogue.ts';
import { isBuyer } from '#contract/people/accounts.ts';
import { PROVIDER } from './identity/testing/environment.ts';
import { createSessionActions } from './session-actions.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { email, fakeIdentity, fakeShop, problem } from './testing/fakes.ts';

let identity: ReturnType<typeof fakeIdentity>;
let shop: ReturnType<typeof fakeShop>;
let store: SessionStore;
let stop = () => {};

beforeEach(async () => {
  shop = fakeShop();
  shop.records.set(email, { role: 'Buyer' });
  identity = fakeIdentity(shop);
  store = createSessionStore(async (access) => createSessionActions(PROVIDER, access, identity.environment));
  stop = store.start();
  await store.run(() => identity.signInElsewhere());
  await expect.poll(() => store.read().status).toBe('signed-in');
});
afterEach(() => stop());

const callAsBuyer = () => store.client.call(isBuyer, { params: { email } });

describe('a public call whose token is ignored', () => {
  test('is repeated with a new token after the token expired', async () => {
    shop.goodToken = /^Bearer shop-token for id-token-2$/;
    shop.asked.length = 0;
    expect(await store.client.call(listBrands, {})).toEqual([]);
    expect(shop.asked.at(-1)).toBe('GET /api/brands Bearer shop-token for id-token-2');
    expect(store.read().status).toBe('signed-in');
  });

  test('returns its response when no new token can be obtained', async () => {
    shop.goodToken = /^nothing$/;
    identity.unreachable = /token/;
    expect(await store.client.call(listBrands, {})).toEqual([]);
    expect(store.read().status).toBe('signed-in');
  });
});

describe('a call that returns 401', () => {
  test('signs out and keeps the reason', async () => {
    shop.refuseNext.push(problem(401, 'not_signed_in', 'This account was signed out.'));
    await expect(callAsBuyer()).rejects.toThrow('This account was signed out.');
    expect(store.read()).toEqual({
      status: 'signed-out',
      byUser: false,
      reason: 'This account was signed out.',
    });
  });

  test('signs out after a 403 for an ended account, but not after other 403s', async () => {
    shop.refuseNext.push(problem(403, 'not_allowed', 'This is not for your account.'));
    await expect(callAsBuyer()).rejects.toThrow('This is not for your account.');
    expect(store.read().status).toBe('signed-in');
    shop.refuseNext.push(problem(403, 'account_ended', 'This account is disabled.'));
    await expect(callAsBuyer()).rejects.toThrow('This account is disabled.');
    expect(store.read()).toEqual({
      status: 'signed-out',
      byUser: false,
      reason: 'This account is disabled.',
    });
  });

  test('is repeated with a new token after the token expired', async () => {
    shop.goodToken = /^Bearer shop-token for id-token-2$/;
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
    expect(store.read().status).toBe('signed-in');
  });

  test('is repeated with the token of the session that replaced this one', async () => {
    shop.refuseNext.push(problem(401, 'session_ended', 'You were signed out of this session.'));
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
    expect(store.read().status).toBe('signed-in');
  });

  test.each([
    ['the identity provider', () => (identity.unreachable = /token/)],
    [
      'the shop',
      () => {
        const refusal = () => problem(503, 'database_unavailable', 'Please try again later.');
        // The session exchanges each new ID token, and so does the call that is repeated.
        shop.refuseExchange.push(refusal(), refusal());
      },
    ],
  ])('fails without a sign-out while no new token can be obtained from %s', async (_name, disconnect) => {
    shop.goodToken = /^Bearer shop-token for id-token-[23]$/;
    disconnect();
    await expect(callAsBuyer()).rejects.toMatchObject({ status: 0, code: 'network' });
    expect(store.read().status).toBe('signed-in');
    expect(identity.calls()).not.toContain('/sign-out');
    identity.unreachable = /^$/;
    shop.refuseExchange.length = 0;
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
  });

  test('signs out when the new token is rejected too', async () => {
    shop.goodToken = /^nothing$/;
    await expect(callAsBuyer()).rejects.toThrow('Your token has expired.');
    expect(store.read().status).toBe('signed-out');
  });
});

test('a stream is opened with a new token after the token expired, and not read', async () => {
  shop.goodToken = /^Bearer shop-token for id-token-2$/;
  shop.asked.length = 0;
  const { signal } = new AbortController();
  const response = await store.run((actions) => actions.openStream('/brands', signal));
  expect(response.bodyUsed).toBe(false);
  expect(shop.asked.at(-1)).toBe('GET /api/brands Bearer shop-token for id-token-2');
});
