import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sendVerification } from '#contract/identity/account.ts';
import { isBuyer } from '#contract/people/accounts.ts';
import { identityError } from './identity/errors.ts';
import type { StoredSession } from './identity/stored-session.ts';
import { ann, fakeStorage, HOUR, idToken, PROVIDER } from './identity/testing/environment.ts';
import { createSessionActions, type SessionActions } from './session-actions.ts';
import type { Session } from './session-state.ts';
import { loadingSession } from './session-store.ts';
import { email, fakeIdentity, fakeShop, problem } from './testing/fakes.ts';

vi.mock('@simplewebauthn/browser', () => import('./identity/testing/passkeys.ts'));

let identity: ReturnType<typeof fakeIdentity>;
let shop: ReturnType<typeof fakeShop>;
let session: Session = loadingSession;
let actions: SessionActions;
/** The states of the session, in order. */
let statuses: string[];

function createActions(localStorage = identity.environment.localStorage) {
  session = loadingSession;
  statuses = [session.status];
  const access = {
    read: () => session,
    set(next: Session) {
      session = next;
      if (session.status !== statuses.at(-1)) statuses.push(session.status);
    },
  };
  return createSessionActions(PROVIDER, access, { ...identity.environment, localStorage });
}

beforeEach(() => {
  shop = fakeShop();
  identity = fakeIdentity(shop);
  actions = createActions();
});

const expectStatus = (status: string) => expect.poll(() => session.status).toBe(status);

async function signedIn() {
  shop.records.set(email, { role: 'Buyer' });
  await identity.signInElsewhere();
  await expectStatus('signed-in');
}

function signInWithGoogle() {
  const signingIn = actions.signInWithGoogle();
  identity.completeGoogle();
  return signingIn;
}

describe('the shop’s token', () => {
  test('is exchanged for the ID token and kept under coomercioToken', async () => {
    actions = createActions();
    expect(session).toEqual({ status: 'loading' });
    await signedIn();
    expect(session).toEqual({
      status: 'signed-in',
      person: { name: 'Ada', email, photoUrl: null },
    });
    expect(identity.items.get('coomercioToken')).toBe('shop-token for id-token-1');
    expect(shop.asked).toContain(`GET /api/jwt?email=ada%40example.com Bearer id-token-1`);
  });

  test('is renewed with each new ID token', async () => {
    await signedIn();
    await identity.signInElsewhere();
    await expect.poll(() => identity.items.get('coomercioToken')).toBe('shop-token for id-token-2');
    expect(session.status).toBe('signed-in');
  });

  test('is removed at sign-out, also when the identity provider fails, which is only logged', async () => {
    await signedIn();
    identity.unreachable = /sign-out/;
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await actions.signOut();
    const failure = expect.objectContaining({ code: 'network' });
    await expect.poll(() => log.mock.calls).toEqual([[failure]]);
    expect(session).toEqual({ status: 'signed-out', byUser: true, reason: null });
    expect(identity.items.has('coomercioToken')).toBe(false);
  });

  test('is removed at sign-out and not requested again', async () => {
    await signedIn();
    shop.asked.length = 0;
    await actions.signOut();
    await expect.poll(() => identity.calls()).toEqual(['/sign-out']);
    expect(await identity.store.read()).toBeNull();
    expect(session).toEqual({ status: 'signed-out', byUser: true, reason: null });
    expect(identity.items.has('coomercioToken')).toBe(false);
    expect(shop.asked).toEqual([]);
  });

  test('is requested again on retry after the connection failed', async () => {
    shop.reachable = false;
    await identity.signInElsewhere();
    await expectStatus('failed');
    shop.reachable = true;
    shop.records.set(email, {});
    session = loadingSession;
    actions.refresh();
    await expectStatus('signed-in');
  });

  test('is not stored when its response arrives after a sign-out', async () => {
    shop.records.set(email, {});
    const slow = Promise.withResolvers<Response>();
    const asked = vi.spyOn(shop, 'fetch').mockReturnValueOnce(slow.promise);
    await identity.signInElsewhere();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), 60_000);
    await actions.signOut();
    slow.resolve(Response.json({ coomercioToken: 'late' }));
    await slow.promise;
    await expect.poll(() => identity.calls()).toContain('/sign-out');
    expect(session.status).toBe('signed-out');
    expect(identity.items.has('coomercioToken')).toBe(false);
  });
});

describe('the session', () => {
  test('is known at once from stored tokens, without a request', async () => {
    await signedIn();
    const before = [shop.asked.length, identity.requests.length];
    actions = createActions();
    await expectStatus('signed-in');
    expect([shop.asked.length, identity.requests.length]).toEqual(before);
    expect(statuses).toEqual(['loading', 'signed-in']);
  });

  test('stays while the shop cannot be reached, with the token that it has', async () => {
    await signedIn();
    shop.reachable = false;
    const asked = shop.asked.length;
    await identity.signInElsewhere();
    await expect.poll(() => shop.asked.length).toBeGreaterThan(asked);
    expect(session.status).toBe('signed-in');
    expect(statuses).not.toContain('failed');
  });

  test('keeps the reason of its end when the identity client follows', async () => {
    await signedIn();
    shop.refuseExchange.push(problem(403, 'account_ended', 'This account is disabled.'));
    await identity.signInElsewhere();
    await expectStatus('signed-out');
    await expect.poll(() => identity.calls()).toContain('/sign-out');
    expect(session).toEqual({ status: 'signed-out', byUser: false, reason: 'This account is disabled.' });
  });
});

describe('drafts and other private data in this browser', () => {
  const forget = vi.fn();
  beforeEach(async () => {
    forget.mockReset();
    identity.environment.forgetPrivateData = forget;
    actions = createActions();
    await signedIn();
  });

  test('are removed by a sign-out here', async () => {
    await actions.signOut();
    expect(forget).toHaveBeenCalledOnce();
  });

  test('are kept when the user decides so', async () => {
    identity.environment.confirmSignOut = async () => false;
    actions = createActions();
    await actions.signOut();
    expect(forget).not.toHaveBeenCalled();
  });

  test('are removed by a sign-out in another tab', async () => {
    await identity.endElsewhere(null);
    await expectStatus('signed-out');
    expect(forget).toHaveBeenCalledOnce();
  });

  test('stay when the session ends otherwise, so that the user can go on', async () => {
    await identity.endElsewhere('Your session has ended.');
    await expectStatus('signed-out');
    expect(forget).not.toHaveBeenCalled();
  });

  test('are claimed for the person who signs in, before the shop’s token is stored', async () => {
    const claimed: string[] = [];
    identity.environment.claimPrivateData = (uid) => {
      claimed.push(uid);
      identity.items.delete('coomercioToken');
    };
    actions = createActions();
    await signedIn();
    expect(new Set(claimed)).toEqual(new Set(['u1']));
    expect(identity.items.has('coomercioToken')).toBe(true);
  });

  test('stay for a visitor', async () => {
    await actions.signOut();
    forget.mockReset();
    actions = createActions();
    await expectStatus('signed-out');
    expect(forget).not.toHaveBeenCalled();
  });
});

describe('registering', () => {
  const registration = { name: 'Ada Lovelace', email, password: 'Engine#1', role: 'Seller' as const };

  test('creates the account under its name, then saves the record with its role', async () => {
    expect(await actions.register(registration)).toBe('created');
    expect(identity.calls()).toEqual(['/sign-up/email']);
    expect(identity.requests.at(-1)?.body).toMatchObject({ name: 'Ada Lovelace' });
    expect(shop.records.get(email)).toEqual({ name: 'Ada Lovelace', email, role: 'Seller', status: false });
    expect(session).toMatchObject({ status: 'signed-in', person: { name: 'Ada Lovelace' } });
  });

  test('under a name that the provider refuses makes no account', async () => {
    const message = 'This name could be taken for the shop itself. Please choose another one.';
    identity.refuse('/sign-up/email', problem(422, 'invalid_input', message, { name: message }));
    await expectStatus('signed-out');
    const refused = actions.register({ ...registration, name: 'Coomercio Support' });
    await expect(refused).rejects.toMatchObject({ message, errors: { name: message } });
    expect(identity.calls()).toEqual(['/sign-up/email']);
    expect(shop.asked).toEqual([]);
    expect(session.status).toBe('signed-out');
  });

  test('keeps the entered record when its creation fails, and can be completed', async () => {
    shop.refuseNext.push(problem(503, 'database_unavailable', 'The shop is catching its breath.'));
    await expect(actions.register(registration)).rejects.toThrow('The shop is catching its breath.');
    expect(session).toEqual({
      status: 'unfinished',
      person: { name: 'Ada Lovelace', email, photoUrl: null },
      role: 'Seller',
      failure: { message: 'The shop is catching its breath.', field: null },
    });
    expect(await actions.finishRegistration({ name: 'Ada Lovelace', role: 'Seller' })).toBe('created');
    expect(session.status).toBe('signed-in');
  });

  test('with Google creates a Buyer, and keeps the role of a known email', async () => {
    expect(await signInWithGoogle()).toBe('created');
    expect(shop.records.get(email)).toEqual({ name: 'Ada G.', email, role: 'Buyer' });
    await actions.signOut();
    expect(await signInWithGoogle()).toBe('welcome-back');
  });

  test('with Google under a name that the shop refuses asks for another one', async () => {
    const message = 'This name could be taken for the shop itself. Please choose another one.';
    shop.refuseNext.push(problem(422, 'invalid_input', message, { name: message }));
    await expect(signInWithGoogle()).rejects.toThrow(message);
    const failure = { message, field: 'name' };
    expect(session).toMatchObject({ status: 'unfinished', person: { name: 'Ada G.' }, failure });
    expect(await actions.finishRegistration({ name: 'Ada Lovelace', role: 'Buyer' })).toBe('created');
    expect(session).toMatchObject({ status: 'signed-in', person: { name: 'Ada Lovelace' } });
  });
});

describe('signing in', () => {
  test('without a user record offers to complete the registration', async () => {
    expect(await actions.signIn(email, 'Engine#1')).toBe('unfinished');
    expect(session).toMatchObject({ status: 'unfinished', person: { name: 'Ada', email } });
  });

  test('to a disabled account shows the reason and signs out of the identity provider', async () => {
    shop.refuseNext.push(problem(403, 'account_ended', 'This account is disabled.'));
    await expect(actions.signIn(email, 'Engine#1')).rejects.toThrow('This account is disabled.');
    expect(session).toMatchObject({ status: 'signed-out', reason: 'This account is disabled.' });
    await expect.poll(() => identity.calls()).toContain('/sign-out');
  });

  test('is undone with its reason when the identity provider ends the session', async () => {
    await signedIn();
    const ended = identityError('session_ended');
    await identity.endElsewhere(ended.message);
    await expectStatus('signed-out');
    expect(session).toEqual({ status: 'signed-out', byUser: false, reason: ended.message });
  });
});

const refuse = () => {
  throw new Error('not here');
};

test.each([
  ['forbidden', refuse],
  ['full', () => ({ ...fakeStorage().storage, setItem: refuse })],
  [
    'full, with an older token in it,',
    () => ({ ...fakeStorage().storage, getItem: () => 'older', setItem: refuse }),
  ],
])('signs in with storage that is %s', async (_how, open) => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const without = createActions(open);
  shop.records.set(email, {});
  expect(await without.signIn(email, 'Engine#1')).toBe('welcome-back');
  expect(await without.client.call(isBuyer, { params: { email } })).toEqual({ isBuyer: true });
  expect(shop.asked.at(-1)).toContain('Bearer shop-token for id-token-1');
});

test('the client makes the calls of the identity provider with its session', async () => {
  await signedIn();
  identity.refuse('/email/verification-letter', Response.json({ success: true }));
  expect(await actions.client.call(sendVerification, {})).toEqual({ success: true });
  expect(identity.requests.at(-1)).toMatchObject({
    path: '/email/verification-letter',
    token: 'Bearer session',
  });
});

describe('a sign-in that requires a second factor', () => {
  beforeEach(async () => {
    shop.records.set(email, { role: 'Buyer' });
    await expectStatus('signed-out');
    identity.requireSecondFactor({ methods: ['totp'], challenge: 'c1' });
  });

  test('waits for it, while the identity client has no user', async () => {
    expect(await actions.signIn(email, 'Engine#1')).toBe('second-factor');
    expect(session).toEqual({ status: 'second-factor', methods: ['totp'], challenge: 'c1' });
    expect(await actions.signInWithCode('123456')).toBe('welcome-back');
    expect(identity.requests.at(-1)).toMatchObject({
      path: '/sign-in/code',
      token: 'Bearer c1',
      body: { code: '123456' },
    });
    expect(session.status).toBe('signed-in');
    await expect(actions.signInWithCode('123456')).rejects.toMatchObject({ code: 'session_ended' });
  });

  test('can be cancelled', async () => {
    await actions.signIn(email, 'Engine#1');
    await actions.signOut();
    expect(session.status).toBe('signed-out');
    await expect(actions.signInWithCode('123456')).rejects.toMatchObject({ code: 'session_ended' });
    await actions.signInWithPasskey();
    expect(identity.requests.at(-1)).toMatchObject({ path: '/sign-in/passkey', token: null });
  });
});

describe('a stored sign-in whose ID token has expired', () => {
  const expired: StoredSession = {
    version: 1,
    sessionToken: 'session',
    signedInAt: 1,
    idToken: idToken(HOUR, Date.now() - 2 * HOUR),
    expiresAt: Date.now() - HOUR,
    lifetime: HOUR,
    profile: { ...ann, email },
    shopToken: 'expired',
    isExchanged: true,
  };

  beforeEach(async () => {
    shop.records.set(email, { role: 'Buyer' });
    identity = fakeIdentity(shop);
    await identity.store.write(expired);
  });

  test('is shown as loading until the new token is exchanged', async () => {
    actions = createActions();
    await expectStatus('signed-in');
    expect(statuses).toEqual(['loading', 'signed-in']);
    expect(shop.asked).toEqual([`GET /api/jwt?email=ada%40example.com Bearer id-token-1`]);
  });

  test('is reported as failed without a connection, and stays stored', async () => {
    identity.unreachable = /token/;
    actions = createActions();
    await expectStatus('failed');
    expect(await identity.store.read()).toEqual(expired);
  });
});
