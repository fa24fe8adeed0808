import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from './environment.ts';
import { createMemoryStore, type Store } from './stores.ts';
import {
  ann,
  fakeEnvironment,
  HOUR,
  idToken,
  type OpenedClient,
  openClient,
  refusal,
  tabGroup,
} from './testing/environment.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-20T12:00:00Z');
const PASSWORD = 'Secret#1';

let clients: OpenedClient[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  for (const client of clients) client.dispose();
  clients = [];
  vi.useRealTimers();
});

function open(parts: Partial<Environment> = {}) {
  const fake = fakeEnvironment(parts);
  const client = openClient(fake.environment);
  clients.push(client);
  return { ...fake, client };
}

async function signedIn(parts: Partial<Environment> = {}) {
  const opened = open(parts);
  await opened.client.signIn('ann@mail.example', PASSWORD);
  await vi.advanceTimersByTimeAsync(1);
  return opened;
}

/** Lets promises and zero-length timers settle. */
const settle = () => vi.advanceTimersByTimeAsync(1);
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

describe('the state', () => {
  it('is unknown at first, then signed out when nothing is stored', async () => {
    const { client, provider } = open();
    expect(client.state()).toBeNull();
    expect(await client.whenKnown()).toBeNull();
    expect(client.state()).toEqual({ user: null, reason: null });
    expect(provider.requests).toEqual([]);
  });

  it('stays signed out during a sign-in, then changes once', async () => {
    const { client } = open();
    await client.whenKnown();
    const seen: unknown[] = [];
    client.onChange(() => seen.push(client.state()?.user?.uid));
    const signingIn = client.signIn('ann@mail.example', PASSWORD);
    expect(client.state()).toEqual({ user: null, reason: null });
    await signingIn;
    expect(seen).toEqual(['ann']);
  });

  it('stays signed out when signing in fails', async () => {
    const { client, provider } = open();
    await client.whenKnown();
    provider.answer = () =>
      refusal(401, 'invalid_credential', 'The e-mail address or the password is not right.');
    await expect(client.signIn('ann@mail.example', 'Wrong#1')).rejects.toMatchObject({
      code: 'auth/invalid-credential',
      message: 'The e-mail address or the password is not right.',
    });
    expect(client.state()).toEqual({ user: null, reason: null });
  });
});

describe('requests', () => {
  it('send the session as a bearer token, never as a cookie', async () => {
    const { client, provider } = await signedIn();
    await client.getIdToken(true);
    expect(provider.requests.map(({ token }) => token)).toEqual([null, 'Bearer session']);
    for (const { init } of provider.requests) expect(init.credentials).toBe('omit');
  });

  it('fail with network-request-failed after 10 seconds without a response', async () => {
    const { client, provider } = open();
    await client.whenKnown();
    provider.answer = () => new Promise(() => {});
    const failed = vi.fn();
    client.signIn('ann@mail.example', PASSWORD).catch(failed);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'auth/network-request-failed' }),
    );
    expect(provider.requests[0]?.init.signal?.aborted).toBe(true);
    expect(client.state()).toEqual({ user: null, reason: null });
  });

  it.each([
    [409, 'email_already_in_use', 'auth/email-already-in-use'],
    [422, 'weak_password', 'auth/weak-password'],
    [403, 'user_disabled', 'auth/user-disabled'],
    [429, 'too_many_requests', 'auth/too-many-requests'],
    [503, 'identity_unavailable', 'auth/network-request-failed'],
    [500, 'internal', 'auth/internal-error'],
    [418, 'never heard of', 'auth/internal-error'],
  ])('refused with %i %s fail with %s and the provider’s message', async (status, code, expected) => {
    const { client, provider } = open();
    provider.answer = () => refusal(status, code, 'In words.');
    await expect(client.signUp('ann@mail.example', PASSWORD)).rejects.toMatchObject({
      code: expected,
      message: 'In words.',
    });
  });

  it('fail with auth/internal-error for an unexpected response', async () => {
    const { client, provider } = open();
    for (const [status, body] of [
      [502, '<html>Bad gateway</html>'],
      [200, '{"idToken":7}'],
    ] as const) {
      provider.answer = () => new Response(body, { status });
      await expect(client.signIn('ann@mail.example', PASSWORD)).rejects.toMatchObject({
        code: 'auth/internal-error',
      });
    }
  });
});

describe('ID tokens', () => {
  it('are used as they are until 30 seconds before they expire', async () => {
    const { provider, client } = await signedIn();
    provider.answer = offline;
    await vi.advanceTimersByTimeAsync(HOUR - 30_000 - 1_000);
    const before = provider.issued;
    await client.getIdToken();
    expect(provider.issued).toBe(before);
    await vi.advanceTimersByTimeAsync(1_000);
    provider.answer = () => null;
    const asked = provider.issued;
    await client.getIdToken();
    expect(provider.issued).toBe(asked + 1);
  });

  it('are renewed 5 minutes before they expire, repeatedly', async () => {
    const { provider } = await signedIn();
    for (let hour = 0; hour < 3; hour += 1) {
      await vi.advanceTimersByTimeAsync(55 * MINUTE - 1_000);
      expect(provider.issued).toBe(hour);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(provider.issued).toBe(hour + 1);
    }
  });

  it('are renewed again after a failure with back-off from 30 seconds to 16 minutes', async () => {
    const { provider, client } = await signedIn();
    provider.answer = offline;
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    expect(provider.issued).toBe(1);
    for (const [attempt, seconds] of [30, 60, 120, 240, 480, 960, 960, 960].entries()) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 100);
      expect(provider.issued).toBe(attempt + 1);
      await vi.advanceTimersByTimeAsync(100);
      expect(provider.issued).toBe(attempt + 2);
    }
    expect(client.state()?.user?.uid).toBe('ann');

    provider.answer = () => null;
    await vi.advanceTimersByTimeAsync(960_000);
    const recovered = provider.issued;
    provider.answer = offline;
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    expect(provider.issued).toBe(recovered + 1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(provider.issued).toBe(recovered + 2);
  });

  it('are valid for their full lifetime on a device with a wrong clock', async () => {
    const { provider, client } = open();
    provider.answer = ({ path }) =>
      path === '/sign-in/email'
        ? Response.json({
            sessionToken: 'session',
            idToken: idToken(HOUR, START + 7 * 24 * HOUR),
            user: ann,
          })
        : null;
    await client.signIn('ann@mail.example', PASSWORD);
    await vi.advanceTimersByTimeAsync(54 * MINUTE);
    expect(provider.issued).toBe(0);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(provider.issued).toBe(1);
  });

  it('with a lifetime of a few minutes are not renewed in a loop', async () => {
    const { provider, client } = open();
    provider.answer = ({ path }) =>
      Response.json({
        ...(path === '/sign-in/email' ? { sessionToken: 'session' } : {}),
        idToken: idToken(4 * MINUTE),
        user: ann,
      });
    await client.signIn('ann@mail.example', PASSWORD);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(provider.issued).toBe(5);
  });

  it('are requested once for concurrent callers', async () => {
    const { client, provider } = await signedIn();
    const given = await Promise.all([
      client.getIdToken(true),
      client.getIdToken(true),
      client.getIdToken(true),
    ]);
    expect(new Set(given).size).toBe(1);
    expect(provider.issued).toBe(1);
  });

  it('are refused after a concurrent sign-out', async () => {
    const { client, provider } = await signedIn();
    let answer = (_response: Response) => {};
    provider.answer = ({ path }) =>
      path === '/token'
        ? new Promise<Response>((resolve) => {
            answer = resolve;
          })
        : null;
    const asked = expect(client.getIdToken(true)).rejects.toMatchObject({ code: 'auth/no-current-user' });
    await settle();
    await client.signOut();
    answer(Response.json({ idToken: idToken(), user: ann }));
    await asked;
    expect(client.state()?.user).toBeNull();
    await expect(client.getIdToken()).rejects.toMatchObject({ code: 'auth/no-current-user' });
  });
});

describe('a session that has ended', () => {
  it.each([
    [403, 'user_disabled'],
    [401, 'session_ended'],
  ])('with %i %s signs out this tab and the others, and keeps the reason', async (status, code) => {
    const reason = 'The provider’s sentence.';
    const [group, store] = [tabGroup(), createMemoryStore()];
    const { client, provider } = await signedIn({ openTabChannel: group.join(), stores: [store] });
    const other = open({ openTabChannel: group.join(), stores: [store] });
    expect((await other.client.whenKnown())?.uid).toBe('ann');

    provider.answer = () => refusal(status, code, reason);
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    for (const { state } of [client, other.client]) expect(state()).toMatchObject({ user: null, reason });
    expect(await store.read()).toBeNull();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(provider.issued).toBe(1);

    provider.answer = () => null;
    await client.signIn('ann@mail.example', PASSWORD);
    expect(client.state()?.reason).toBeNull();
  });

  it.each([
    [403, 'user_disabled', 'auth/user-disabled'],
    [401, 'session_ended', 'auth/user-token-expired'],
  ])('with %i %s rejects a pending token request', async (status, code, expected) => {
    const { client, provider } = await signedIn();
    provider.answer = () => refusal(status, code, 'This account is disabled.');
    await expect(client.getIdToken(true)).rejects.toMatchObject({
      code: expected,
      message: 'This account is disabled.',
    });
  });

  it('keeps a newer sign-in of another tab', async () => {
    const [group, store] = [tabGroup(), createMemoryStore()];
    const { client, provider } = await signedIn({ openTabChannel: group.join(), stores: [store] });
    const mine = await store.read();
    await store.write({ ...Object(mine), sessionToken: 'newer', profile: { ...ann, uid: 'bea' } });
    provider.answer = () => refusal(401, 'session_ended');
    await expect(client.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    expect(client.state()).toMatchObject({ user: { uid: 'bea' }, reason: null });
    expect(await store.read()).toMatchObject({ sessionToken: 'newer' });
  });
});

describe('opening the page again', () => {
  async function visitAfter(
    milliseconds: number,
    answer: ReturnType<typeof fakeEnvironment>['provider']['answer'],
  ) {
    const store = createMemoryStore();
    (await signedIn({ stores: [store] })).client.dispose();
    await vi.advanceTimersByTimeAsync(milliseconds);
    const visit = open({ stores: [store] });
    visit.provider.answer = answer;
    return { ...visit, store };
  }

  it('restores a recent sign-in without a request', async () => {
    const { client, provider } = await visitAfter(MINUTE, offline);
    expect((await client.whenKnown())?.displayName).toBe('Ann');
    expect(provider.requests).toEqual([]);
  });

  it('restores an older sign-in and checks it with the provider', async () => {
    const { client, provider } = await visitAfter(10 * MINUTE, () => refusal(403, 'user_disabled'));
    expect((await client.whenKnown())?.uid).toBe('ann');
    await settle();
    expect(provider.issued).toBe(1);
    expect(client.state()).toMatchObject({ user: null, reason: 'A sentence.' });
  });

  it('renews an expired ID token first', async () => {
    const { client, provider } = await visitAfter(2 * HOUR, () => null);
    expect((await client.whenKnown())?.uid).toBe('ann');
    await client.getIdToken();
    expect(provider.issued).toBe(1);
    await client.getIdToken();
    expect(provider.issued).toBe(1);
  });

  it('signs out when the stored session has ended', async () => {
    const { client, store } = await visitAfter(2 * HOUR, () => refusal(401, 'session_ended'));
    await client.whenKnown();
    await expect(client.getIdToken()).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    expect(client.state()).toEqual({ user: null, reason: 'A sentence.' });
    await settle();
    expect(await store.read()).toBeNull();
  });

  it('stays signed in without a connection, and retries', async () => {
    const { client, provider } = await visitAfter(2 * HOUR, offline);
    expect((await client.whenKnown())?.uid).toBe('ann');
    await expect(client.getIdToken()).rejects.toMatchObject({
      code: 'auth/network-request-failed',
    });
    provider.answer = () => null;
    await vi.advanceTimersByTimeAsync(30_000);
    const asked = provider.issued;
    await client.getIdToken();
    expect(provider.issued).toBe(asked);
  });

  it('renews a token whose remaining time exceeds its lifetime, after the clock was set back', async () => {
    const store = createMemoryStore();
    (await signedIn({ stores: [store] })).client.dispose();
    vi.setSystemTime(START - 24 * HOUR);
    const { client, provider } = open({ stores: [store] });
    await client.whenKnown();
    await client.getIdToken();
    expect(provider.issued).toBe(1);
  });

  it('ignores invalid stored values', async () => {
    for (const rubbish of ['text', 7, {}, { version: 2 }, { version: 1, sessionToken: 'x' }]) {
      const store = createMemoryStore();
      await store.write(rubbish);
      expect(await open({ stores: [store] }).client.whenKnown()).toBeNull();
    }
  });
});

describe('other tabs', () => {
  function twoTabs(stores: () => readonly Store[]) {
    const group = tabGroup();
    return [
      open({ openTabChannel: group.join(), stores: stores() }),
      open({ openTabChannel: group.join(), stores: stores() }),
    ] as const;
  }
  const shared = () => {
    const store = createMemoryStore();
    return () => [store];
  };

  it('are signed in by a sign-in in this tab, with the same session', async () => {
    const [here, there] = twoTabs(shared());
    await there.client.whenKnown();
    await here.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    expect(there.client.state()).toMatchObject({ user: { uid: 'ann' } });
    expect(there.provider.requests).toEqual([]);
  });

  it('are signed out by a sign-out in this tab', async () => {
    const [here, there] = twoTabs(shared());
    await here.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    await here.client.signOut();
    await settle();
    expect(there.client.state()).toMatchObject({ user: null, reason: null });
    expect(here.provider.requests.at(-1)).toMatchObject({ path: '/sign-out', token: 'Bearer session' });
  });

  it('are signed out even when each stores its own sign-in', async () => {
    const [here, there] = twoTabs(() => [createMemoryStore()]);
    await here.client.signIn('ann@mail.example', PASSWORD);
    await there.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    await here.client.signOut();
    await settle();
    expect(there.client.state()?.user).toBeNull();
  });

  it('share the ID token that one of them requested', async () => {
    const [here, there] = twoTabs(shared());
    await here.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    const fresh = await here.client.getIdToken(true);
    await settle();
    expect(await there.client.getIdToken()).toBe(fresh);
    expect(there.provider.issued).toBe(0);
  });

  it('are signed in after a sign-out that a sign-in follows immediately', async () => {
    const [here, there] = twoTabs(shared());
    await here.client.signIn('ann@mail.example', PASSWORD);
    await here.client.signOut();
    here.provider.answer = ({ path }) =>
      path === '/sign-in/email'
        ? Response.json({ sessionToken: 'second', idToken: idToken(), user: { ...ann, uid: 'bea' } })
        : null;
    await here.client.signIn('bea@mail.example', PASSWORD);
    await settle();
    expect(there.client.state()?.user?.uid).toBe('bea');
    expect(here.client.state()?.user?.uid).toBe('bea');
  });
});

describe('signing out', () => {
  it('takes effect in this tab even when the provider fails', async () => {
    const store = createMemoryStore();
    const { client, provider } = await signedIn({ stores: [store] });
    provider.answer = offline;
    await expect(client.signOut()).rejects.toMatchObject({ code: 'auth/network-request-failed' });
    expect(client.state()).toMatchObject({ user: null, reason: null });
    expect(await store.read()).toBeNull();
  });

  it('is not undone by a slow write of the sign-in', async () => {
    const store = createMemoryStore();
    const slow: Store = {
      ...store,
      async write(value) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await store.write(value);
      },
    };
    const { client } = open({ stores: [slow] });
    await client.whenKnown();
    const signingIn = client.signIn('ann@mail.example', PASSWORD);
    await settle();
    expect(client.state()?.user?.uid).toBe('ann');
    const signingOut = client.signOut();
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all([signingIn, signingOut]);
    expect(client.state()?.user).toBeNull();
    expect(await store.read()).toBeNull();
  });

  it('does nothing without a session', async () => {
    const { client, provider } = open();
    await client.whenKnown();
    await client.signOut();
    expect(provider.requests).toEqual([]);
  });
});

describe('the profile', () => {
  it('changes the user and the state', async () => {
    const { client, provider } = await signedIn();
    provider.answer = ({ body }) => Response.json({ idToken: idToken(), user: { ...ann, ...Object(body) } });
    await client.setDisplayName('Ann Smith');
    expect(provider.requests.at(-1)).toMatchObject({
      method: 'PATCH',
      path: '/user',
      body: { displayName: 'Ann Smith' },
    });
    expect(client.state()?.user?.displayName).toBe('Ann Smith');
  });

  it('requires a session', async () => {
    const { client } = open();
    await expect(client.setDisplayName('Nobody')).rejects.toMatchObject({
      code: 'auth/no-current-user',
    });
  });

  it('is refused with a message per field', async () => {
    const { client, provider } = await signedIn();
    provider.answer = () =>
      Response.json(
        {
          title: 'No',
          status: 422,
          code: 'invalid_input',
          detail: 'Too long',
          errors: { displayName: 'Too long' },
        },
        { status: 422 },
      );
    await expect(client.setDisplayName('x')).rejects.toMatchObject({
      code: 'auth/argument-error',
      errors: { displayName: 'Too long' },
    });
  });
});
