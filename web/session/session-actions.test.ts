import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isBuyer } from '#contract/accounts.ts';
import { listBrands } from '#contract/catalogue.ts';
import { IdentityError, SecondFactorRequired } from './identity/errors.ts';
import { tabLock } from './identity/testing/environment.ts';
import { createSessionActions, type SessionActions } from './session-actions.ts';
import { initialState, reduce } from './session-state.ts';
import { email, fakeIdentity, fakeShop, fakeStorage, problem } from './testing/fakes.ts';

let identity: ReturnType<typeof fakeIdentity>;
let shop: ReturnType<typeof fakeShop>;
let storage: ReturnType<typeof fakeStorage>;
let state = initialState;
let actions: SessionActions;

function createActions(openStorage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  state = initialState;
  return createSessionActions({
    access: {
      state: () => state,
      dispatch(event) {
        state = reduce(state, event);
      },
    },
    createIdentity: identity.create,
    fetch: (url, init) => shop.fetch(url, init),
    storage: openStorage,
    withLock: tabLock(),
  });
}

beforeEach(() => {
  identity = fakeIdentity();
  shop = fakeShop();
  storage = fakeStorage();
  actions = createActions(() => storage);
});

const expectStatus = (status: string) => expect.poll(() => state.session.status).toBe(status);

async function signedIn() {
  shop.records.set(email, { role: 'Buyer' });
  identity.publish(identity.userNamed('Ada'));
  await expectStatus('signed-in');
}

const callAsBuyer = () => actions.client.call(isBuyer, { params: { email } });

describe('the shop’s token', () => {
  test('is exchanged for the ID token and kept under coomercioToken', async () => {
    expect(state.session).toEqual({ status: 'loading' });
    await signedIn();
    expect(state.session).toEqual({
      status: 'signed-in',
      person: { name: 'Ada', email, photoUrl: null },
    });
    expect(storage.kept.get('coomercioToken')).toBe('shop-token for id-token-1');
    expect(shop.asked).toContain(`GET /api/jwt?email=ada%40example.com Bearer id-token-1`);
  });

  test('is renewed with each new ID token', async () => {
    await signedIn();
    identity.renewIdToken();
    await expect.poll(() => storage.kept.get('coomercioToken')).toBe('shop-token for id-token-2');
    expect(state.session.status).toBe('signed-in');
  });

  test('is removed at sign-out, also when the identity provider fails, which is only logged', async () => {
    await signedIn();
    const failure = new Error('The identity provider is unavailable.');
    vi.spyOn(identity.client, 'signOut').mockRejectedValue(failure);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    actions.signOut();
    await expect.poll(() => log.mock.calls).toEqual([[failure]]);
    expect(state.session).toEqual({ status: 'signed-out', byUser: true, reason: null });
    expect(storage.kept.has('coomercioToken')).toBe(false);
  });

  test('is removed at sign-out and not requested again', async () => {
    await signedIn();
    shop.asked.length = 0;
    actions.signOut();
    await expect.poll(() => identity.client.state()?.user).toBeNull();
    expect(state.session).toEqual({ status: 'signed-out', byUser: true, reason: null });
    expect(storage.kept.has('coomercioToken')).toBe(false);
    expect(identity.calls).toEqual(['sign out']);
    expect(shop.asked).toEqual([]);
  });

  test('is requested again on retry after the connection failed', async () => {
    shop.reachable = false;
    identity.publish(identity.userNamed('Ada'));
    await expectStatus('failed');
    shop.reachable = true;
    shop.records.set(email, {});
    state = reduce(state, { type: 'retry' });
    actions.refresh();
    await expectStatus('signed-in');
  });

  test('is not stored when its response arrives after a sign-out', async () => {
    shop.records.set(email, {});
    const slow = Promise.withResolvers<Response>();
    const asked = vi.spyOn(shop, 'fetch').mockReturnValueOnce(slow.promise);
    identity.publish(identity.userNamed('Ada'));
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    actions.signOut();
    slow.resolve(Response.json({ coomercioToken: 'late' }));
    await slow.promise;
    await expect.poll(() => identity.calls).toContain('sign out');
    expect(state.session.status).toBe('signed-out');
    expect(storage.kept.has('coomercioToken')).toBe(false);
  });
});

describe('registering', () => {
  const registration = { name: 'Ada Lovelace', email, password: 'Engine#1', role: 'Seller' as const };

  test('creates the account, sets the display name, then saves the record with its role', async () => {
    expect(await actions.register(registration)).toBe('created');
    expect(identity.calls).toEqual([`create ${email}`, 'name Ada Lovelace']);
    expect(shop.records.get(email)).toEqual({ name: 'Ada Lovelace', email, role: 'Seller', status: false });
    expect(state.session).toMatchObject({ status: 'signed-in', person: { name: 'Ada Lovelace' } });
  });

  test('keeps the entered record when its creation fails, and can be completed', async () => {
    shop.refuseNext.push(problem(503, 'database_unavailable', 'The shop is catching its breath.'));
    await expect(actions.register(registration)).rejects.toThrow('The shop is catching its breath.');
    expect(state.session).toEqual({
      status: 'unfinished',
      person: { name: 'Ada Lovelace', email, photoUrl: null },
      role: 'Seller',
      reason: 'The shop is catching its breath.',
    });
    expect(await actions.finishRegistration({ name: 'Ada Lovelace', role: 'Seller' })).toBe('created');
    expect(state.session.status).toBe('signed-in');
  });

  test('with Google creates a Buyer, and keeps the role of a known e-mail', async () => {
    expect(await actions.signInWithGoogle()).toBe('created');
    expect(shop.records.get(email)).toEqual({ name: 'Ada G.', email, role: 'Buyer' });
    actions.signOut();
    expect(await actions.signInWithGoogle()).toBe('welcome-back');
  });
});

describe('signing in', () => {
  test('without a user record offers to complete the registration', async () => {
    expect(await actions.signIn(email, 'Engine#1')).toBe('unfinished');
    expect(state.session).toMatchObject({ status: 'unfinished', person: { name: 'Ada', email } });
  });

  test('to a disabled account shows the reason and signs out of the identity provider', async () => {
    shop.refuseNext.push(problem(403, 'account_ended', 'This account is disabled.'));
    await expect(actions.signIn(email, 'Engine#1')).rejects.toThrow('This account is disabled.');
    expect(state.session).toMatchObject({ status: 'signed-out', reason: 'This account is disabled.' });
    expect(identity.calls).toContain('sign out');
  });

  test('is undone with its reason when the identity provider ends the session', async () => {
    await signedIn();
    const ended = new IdentityError('auth/user-token-expired');
    identity.publish(null, ended);
    await expectStatus('signed-out');
    expect(state.session).toEqual({ status: 'signed-out', byUser: false, reason: ended.message });
  });
});

describe('a public call whose token is ignored', () => {
  test('is repeated with a new token after the token expired', async () => {
    await signedIn();
    shop.goodToken = /^Bearer shop-token for id-token-2$/;
    shop.asked.length = 0;
    expect(await actions.client.call(listBrands, {})).toEqual([]);
    expect(shop.asked.at(-1)).toBe('GET /api/brands Bearer shop-token for id-token-2');
    expect(state.session.status).toBe('signed-in');
  });

  test('returns its response when no new token can be obtained', async () => {
    await signedIn();
    shop.goodToken = /^nothing$/;
    identity.reachable = false;
    expect(await actions.client.call(listBrands, {})).toEqual([]);
    expect(state.session.status).toBe('signed-in');
  });
});

describe('a call that returns 401', () => {
  test('signs out and keeps the reason', async () => {
    await signedIn();
    shop.refuseNext.push(problem(401, 'not_signed_in', 'This account was signed out.'));
    await expect(callAsBuyer()).rejects.toThrow('This account was signed out.');
    expect(state.session).toEqual({
      status: 'signed-out',
      byUser: false,
      reason: 'This account was signed out.',
    });
  });

  test('signs out after a 403 for an ended account, but not after other 403s', async () => {
    await signedIn();
    shop.refuseNext.push(problem(403, 'not_allowed', 'This is not for your account.'));
    await expect(callAsBuyer()).rejects.toThrow('This is not for your account.');
    expect(state.session.status).toBe('signed-in');
    shop.refuseNext.push(problem(403, 'account_ended', 'This account is disabled.'));
    await expect(callAsBuyer()).rejects.toThrow('This account is disabled.');
    expect(state.session).toEqual({
      status: 'signed-out',
      byUser: false,
      reason: 'This account is disabled.',
    });
  });

  test('is repeated with a new token after the token expired', async () => {
    await signedIn();
    shop.goodToken = /^Bearer shop-token for id-token-2$/;
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
    expect(state.session.status).toBe('signed-in');
  });

  test('is repeated with the token of the session that replaced this one', async () => {
    await signedIn();
    shop.refuseNext.push(problem(401, 'session_ended', 'You were signed out of this session.'));
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
    expect(state.session.status).toBe('signed-in');
  });

  test.each([
    ['the identity provider', () => (identity.reachable = false)],
    [
      'the shop',
      () => shop.refuseExchange.push(problem(503, 'database_unavailable', 'Please try again later.')),
    ],
  ])('fails without a sign-out while no new token can be obtained from %s', async (_name, disconnect) => {
    await signedIn();
    shop.goodToken = /^Bearer shop-token for id-token-[23]$/;
    disconnect();
    await expect(callAsBuyer()).rejects.toMatchObject({ status: 0, code: 'network' });
    expect(state.session.status).toBe('signed-in');
    expect(identity.calls).not.toContain('sign out');
    identity.reachable = true;
    expect(await callAsBuyer()).toEqual({ isBuyer: true });
  });

  test('signs out when the new token is rejected too', async () => {
    await signedIn();
    shop.goodToken = /^nothing$/;
    await expect(callAsBuyer()).rejects.toThrow('Your token has expired.');
    expect(state.session.status).toBe('signed-out');
  });
});

const refuse = () => {
  throw new Error('not here');
};

test.each([
  ['forbidden', refuse],
  ['full', () => ({ ...fakeStorage(), setItem: refuse })],
  ['full, with an older token in it,', () => ({ ...fakeStorage(), getItem: () => 'older', setItem: refuse })],
])('signs in with storage that is %s', async (_how, open) => {
  const without = createActions(open);
  shop.records.set(email, {});
  expect(await without.signIn(email, 'Engine#1')).toBe('welcome-back');
  expect(await without.client.call(isBuyer, { params: { email } })).toEqual({ isBuyer: true });
  expect(shop.asked.at(-1)).toContain('Bearer shop-token for id-token-1');
});

describe('a sign-in that requires a second factor', () => {
  beforeEach(async () => {
    shop.records.set(email, { role: 'Buyer' });
    identity.publish(null);
    await expectStatus('signed-out');
    identity.client.signInWithEmailAndPassword = async () => {
      throw new SecondFactorRequired({ methods: ['totp'], challenge: 'c1' });
    };
  });

  test('waits for it, while the identity client has no user', async () => {
    expect(await actions.signIn(email, 'Engine#1')).toBe('second-factor');
    expect(state.session).toEqual({ status: 'second-factor', methods: ['totp'], challenge: 'c1' });
    expect(await actions.signInWithCode('123456')).toBe('welcome-back');
    expect(identity.calls).toEqual(['code 123456 for c1']);
    expect(state.session.status).toBe('signed-in');
    await expect(actions.signInWithCode('123456')).rejects.toMatchObject({ code: 'auth/user-token-expired' });
  });

  test('can be cancelled', async () => {
    await actions.signIn(email, 'Engine#1');
    actions.signOut();
    expect(state.session.status).toBe('signed-out');
    await expect(actions.signInWithCode('123456')).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    await actions.signInWithPasskey();
    expect(identity.calls).toContain('passkey for null');
  });
});
