import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isBuyer } from '#contract/accounts.ts';
import { listBrands } from '#contract/catalogue.ts';
import { IdentityError, SecondFactorRequired } from './identity/errors.ts';
import { tabLock } from './identity/testing/environment.ts';
import { createSessionStore, type SessionStore } from './store.ts';
import { email, fakeIdentity, fakeShop, fakeStorage, problem } from './store-surroundings.ts';

let identity: ReturnType<typeof fakeIdentity>;
let shop: ReturnType<typeof fakeShop>;
let storage: ReturnType<typeof fakeStorage>;
let store: SessionStore;
let stop = () => {};

beforeEach(() => {
  identity = fakeIdentity();
  shop = fakeShop();
  storage = fakeStorage();
  store = createSessionStore({
    identity: identity.client,
    fetch: (url, init) => shop.fetch(url, init),
    storage: () => storage,
    withLock: tabLock(),
  });
  stop = store.start();
});

afterEach(() => stop());

const becomes = (status: string) => expect.poll(() => store.read().status).toBe(status);

async function signedIn() {
  shop.records.set(email, { role: 'Buyer' });
  identity.publish(identity.userNamed('Ada'));
  await becomes('signed-in');
}

const callAsBuyer = () => store.client.call(isBuyer, { params: { email } });

describe('the shop’s token', () => {
  test('is exchanged for the ID token and kept under coomercioToken', async () => {
    expect(store.read()).toEqual({ status: 'loading' });
    await signedIn();
    expect(store.read()).toEqual({
      status: 'signed-in',
      person: { name: 'Ada', email, photoUrl: null },
    });
    expect(storage.kept.get('coomercioToken')).toBe('shop-token for id-token-1');
    expect(shop.asked).toContain(`GET /api/jwt?email=ada%40example.com Bearer id-token-1`);
  });

  test('is renewed whenever the ID token is', async () => {
    await signedIn();
    identity.renewIdToken();
    await expect.poll(() => storage.kept.get('coomercioToken')).toBe('shop-token for id-token-2');
    expect(store.read().status).toBe('signed-in');
  });

  test('goes with the person who signs out, also when the identity provider cannot be told, which is only logged', async () => {
    await signedIn();
    const away = new Error('The identity provider is away.');
    vi.spyOn(identity.client, 'signOut').mockRejectedValue(away);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    store.signOut();
    await expect.poll(() => log.mock.calls).toEqual([[away]]);
    expect(store.read()).toEqual({ status: 'signed-out', left: true, reason: null });
    expect(storage.kept.has('coomercioToken')).toBe(false);
  });

  test('goes with the person who signs out, and is asked back from nobody', async () => {
    await signedIn();
    shop.asked.length = 0;
    store.signOut();
    await expect.poll(() => identity.client.state().user).toBeNull();
    expect(store.read()).toEqual({ status: 'signed-out', left: true, reason: null });
    expect(storage.kept.has('coomercioToken')).toBe(false);
    expect(identity.calls).toEqual(['sign out']);
    expect(shop.asked).toEqual([]);
  });

  test('that is not exchanged for lack of a connection is asked for again on retry', async () => {
    shop.reachable = false;
    identity.publish(identity.userNamed('Ada'));
    await becomes('failed');
    shop.reachable = true;
    shop.records.set(email, {});
    store.retry();
    await becomes('signed-in');
  });

  test('does not come back when its answer arrives after signing out', async () => {
    shop.records.set(email, {});
    const slow = Promise.withResolvers<Response>();
    const asked = vi.spyOn(shop, 'fetch').mockReturnValueOnce(slow.promise);
    identity.publish(identity.userNamed('Ada'));
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    store.signOut();
    slow.resolve(Response.json({ coomercioToken: 'late' }));
    await slow.promise;
    await expect.poll(() => identity.calls).toContain('sign out');
    expect(store.read().status).toBe('signed-out');
    expect(storage.kept.has('coomercioToken')).toBe(false);
  });
});

describe('registering', () => {
  const registration = { name: 'Ada Lovelace', email, password: 'Engine#1', role: 'Seller' as const };

  test('creates the account, sets the display name, then saves the record with its role', async () => {
    expect(await store.register(registration)).toBe('created');
    expect(identity.calls).toEqual([`create ${email}`, 'name Ada Lovelace']);
    expect(shop.records.get(email)).toEqual({ name: 'Ada Lovelace', email, role: 'Seller', status: false });
    expect(store.read()).toMatchObject({ status: 'signed-in', person: { name: 'Ada Lovelace' } });
  });

  test('that fails at the last step keeps what was typed and can be finished', async () => {
    shop.refuseNext.push(problem(503, 'database_unavailable', 'The shop is catching its breath.'));
    await expect(store.register(registration)).rejects.toThrow('The shop is catching its breath.');
    expect(store.read()).toEqual({
      status: 'unfinished',
      person: { name: 'Ada Lovelace', email, photoUrl: null },
      role: 'Seller',
      reason: 'The shop is catching its breath.',
    });
    expect(await store.finish({ name: 'Ada Lovelace', role: 'Seller' })).toBe('created');
    expect(store.read().status).toBe('signed-in');
  });

  test('with Google makes a Buyer, and leaves a known e-mail its role', async () => {
    expect(await store.signInWithGoogle()).toBe('created');
    expect(shop.records.get(email)).toEqual({ name: 'Ada G.', email, role: 'Buyer' });
    store.signOut();
    expect(await store.signInWithGoogle()).toBe('welcome-back');
  });
});

describe('signing in', () => {
  test('without a user record offers to finish', async () => {
    expect(await store.signIn(email, 'Engine#1')).toBe('unfinished');
    expect(store.read()).toMatchObject({ status: 'unfinished', person: { name: 'Ada', email } });
  });

  test('to a disabled account says so and signs the identity out', async () => {
    shop.refuseNext.push(problem(403, 'account_ended', 'This account is disabled.'));
    await expect(store.signIn(email, 'Engine#1')).rejects.toThrow('This account is disabled.');
    expect(store.read()).toMatchObject({ status: 'signed-out', reason: 'This account is disabled.' });
    expect(identity.calls).toContain('sign out');
  });

  test('is undone with its reason when the identity provider ends the session', async () => {
    await signedIn();
    const ended = new IdentityError('auth/user-token-expired');
    identity.publish(null, ended);
    await becomes('signed-out');
    expect(store.read()).toEqual({ status: 'signed-out', left: false, reason: ended.message });
  });
});

describe('a public call that is answered as to a visitor', () => {
  test('because the token ran out is repeated with a new one', async () => {
    await signedIn();
    shop.goodToken = /^Bearer shop-token for id-token-2$/;
    shop.asked.length = 0;
    expect(await store.client.call(listBrands, {})).toEqual([]);
    expect(shop.asked.at(-1)).toBe('GET /api/brands Bearer shop-token for id-token-2');
    expect(store.read().status).toBe('signed-in');
  });

  test('is used as it is while no new token can be had', async () => {
    await signedIn();
    shop.goodToken = /^nothing$/;
    identity.reachable = false;
    expect(await store.client.call(listBrands, {})).toEqual([]);
    expect(store.read().status).toBe('signed-in');
  });
});

describe('a call that is answered with 401', () => {
  test('signs out and says why', async () => {
    await signedIn();
    shop.refuseNext.push(problem(401, 'not_signed_in', 'This account was signed out.'));
    await expect(callAsBuyer()).rejects.toThrow('This account was signed out.');
    expect(store.read()).toEqual({
      status: 'signed-out',
      left: false,
      reason: 'This account was signed out.',
    });
  });

  test('or says that the account has ended, does so too; any other 403 is about that call alone', async () => {
    await signedIn();
    shop.refuseNext.push(problem(403, 'not_allowed', 'This is not for your account.'));
    await expect(callAsBuyer()).rejects.toThrow('This is not for your account.');
    expect(store.read().status).toBe('signed-in');
    shop.refuseNext.push(problem(403, 'account_ended', 'This account is disabled.'));
    await expect(callAsBuyer()).rejects.toThrow('This account is disabled.');
    expect(store.read()).toEqual({ status: 'signed-out', left: false, reason: 'This account is disabled.' });
  });

  test('for a token that ran out while the page slept is repeated with a new one', async () => {
    await signedIn();
    shop.goodToken = /^Bearer shop-token for id-token-2$/;
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
    expect(store.read().status).toBe('signed-in');
  });

  test('for a session that another of this browser has replaced is repeated with that one’s token', async () => {
    await signedIn();
    shop.refuseNext.push(problem(401, 'session_ended', 'You were signed out of this session.'));
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
    expect(store.read().status).toBe('signed-in');
  });

  test.each([
    ['the identity provider', () => (identity.reachable = false)],
    [
      'the shop',
      () => shop.refuseExchange.push(problem(503, 'database_unavailable', 'Catching its breath.')),
    ],
  ])(
    'and a new one cannot be had from %s for now, fails alone and signs nobody out',
    async (_who, goAway) => {
      await signedIn();
      shop.goodToken = /^Bearer shop-token for id-token-[23]$/;
      goAway();
      await expect(callAsBuyer()).rejects.toMatchObject({ status: 0, code: 'network' });
      expect(store.read().status).toBe('signed-in');
      expect(identity.calls).not.toContain('sign out');
      identity.reachable = true;
      expect(await callAsBuyer()).toEqual({ isBuyer: true });
    },
  );

  test('also with the new token, signs out', async () => {
    await signedIn();
    shop.goodToken = /^nothing$/;
    await expect(callAsBuyer()).rejects.toThrow('Your token has expired.');
    expect(store.read().status).toBe('signed-out');
  });
});

const refuse = () => {
  throw new Error('not here');
};

test.each([
  ['forbidden', refuse],
  ['full', () => ({ ...fakeStorage(), setItem: refuse })],
  ['full, with an older token in it,', () => ({ ...fakeStorage(), getItem: () => 'older', setItem: refuse })],
])('storage that is %s does not keep anybody from signing in', async (_how, open) => {
  stop();
  const without = createSessionStore({
    identity: identity.client,
    fetch: (url, init) => shop.fetch(url, init),
    storage: open,
    withLock: tabLock(),
  });
  stop = without.start();
  shop.records.set(email, {});
  expect(await without.signIn(email, 'Engine#1')).toBe('welcome-back');
  expect(await without.client.call(isBuyer, { params: { email } })).toEqual({ isBuyer: true });
  expect(shop.asked.at(-1)).toContain('Bearer shop-token for id-token-1');
});

describe('a sign-in whose second factor is due', () => {
  beforeEach(async () => {
    shop.records.set(email, { role: 'Buyer' });
    identity.publish(null);
    await becomes('signed-out');
    identity.client.signInWithEmailAndPassword = async () => {
      throw new SecondFactorRequired(['totp']);
    };
  });

  test('waits for it, without being signed out by the news that nobody is signed in yet', async () => {
    expect(await store.signIn(email, 'Engine#1')).toBe('second-factor');
    expect(store.read()).toEqual({ status: 'second-factor', methods: ['totp'] });
    expect(await store.proveWithCode('123456')).toBe('welcome-back');
    expect(store.read().status).toBe('signed-in');
  });

  test('can be given up', async () => {
    await store.signIn(email, 'Engine#1');
    store.signOut();
    expect(store.read().status).toBe('signed-out');
    expect(identity.calls).toContain('forget');
  });
});
