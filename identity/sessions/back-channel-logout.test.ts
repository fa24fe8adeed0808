import { createServer } from 'node:http';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { portOf } from '#tests/harness/platform/ports.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

const SessionResponse = z.object({ sessionToken: z.string(), idToken: z.string() });

let provider: RunningProvider;
/** The logout tokens that the shop's server received. */
const logoutTokens: string[] = [];
/** The status with which it answers. */
let status = 200;
/** Whether it refuses the first token of a test. */
let refusesFirst = false;
/** How long it takes for a response. */
let latencyMs = 0;
let people = 0;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true) {
    logoutTokens.push(new URLSearchParams(body).get('logout_token') ?? '');
  }
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  response.writeHead(refusesFirst && logoutTokens.length === 1 ? 503 : status).end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider = await startProvider({ logoutUrl: `http://127.0.0.1:${portOf(server)}/back-channel-logout` });
});
afterAll(async () => {
  await provider.stop();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  logoutTokens.length = 0;
  status = 200;
  refusesFirst = false;
  latencyMs = 0;
});

async function authenticate(path: '/sign-up/email' | '/sign-in/email', email: string) {
  const answer = await provider.call('POST', path, { body: { email, password: PASSWORD } });
  const { sessionToken, idToken } = SessionResponse.parse(await answer.json());
  return { token: sessionToken, sid: String(decodeJwt(idToken).sid) };
}

/** Creates an account that is signed in on a laptop and on a phone. */
async function signInOnTwoDevices() {
  const email = `ended${++people}@mail.example`;
  return {
    email,
    laptop: await authenticate('/sign-up/email', email),
    phone: await authenticate('/sign-in/email', email),
  };
}

const notifiedSessions = () => logoutTokens.map((token) => decodeJwt(token).sid);

/** A request that changes something, by somebody whose session goes on. */
const changeSomething = (token: string) => provider.call('DELETE', '/sessions/unknown', { token });

it('sends a signed logout token with the session and without a user before the sign-out is answered', async () => {
  const { laptop } = await signInOnTwoDevices();
  await provider.call('POST', '/sign-out', { token: laptop.token, body: {} });
  expect(logoutTokens).toHaveLength(1);
  const keys = createRemoteJWKSet(new URL(`${provider.url}/jwks`));
  const { payload } = await jwtVerify(logoutTokens[0] ?? '', keys, {
    issuer: provider.url,
    audience: 'coomercio',
  });
  expect(payload).toMatchObject({
    sid: laptop.sid,
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  expect(Object.keys(payload).sort()).toEqual(['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid']);
  expect(await provider.sql('select 1 from session_end')).toEqual([]);
});

it.each([
  ['one session', (phone: string) => `/sessions/${phone}`],
  ['all others', () => '/sessions'],
])(
  'sends a logout token for %s ended from another device, but not for the current session',
  async (_which, pathOf) => {
    const { laptop, phone } = await signInOnTwoDevices();
    await provider.call('DELETE', pathOf(phone.sid), { token: laptop.token });
    expect(notifiedSessions()).toEqual([phone.sid]);
  },
);

it('sends a logout token for each session that a password change ends', async () => {
  const { laptop, phone } = await signInOnTwoDevices();
  await provider.call('POST', '/password/change', {
    token: laptop.token,
    body: { currentPassword: PASSWORD, password: 'Willow#4Harbour' },
  });
  expect(notifiedSessions()).toEqual([phone.sid]);
});

it('delays the logout token by a minute when the browser replaced its session', async () => {
  const { laptop, phone } = await signInOnTwoDevices();
  await provider.call('POST', '/sign-in/again', { token: laptop.token, body: { password: PASSWORD } });
  expect(logoutTokens).toEqual([]);
  const [replacing] = await provider.sql('select id from session order by "createdAt" desc limit 1');
  const [waiting] = await provider.sql(
    `select session_id, due_at - now() between interval '50 seconds' and interval '1 minute' as soon from session_end`,
  );
  expect(waiting).toEqual({ session_id: laptop.sid, soon: true });
  await provider.sql('update session_end set due_at = now()');
  await changeSomething(phone.token);
  expect(notifiedSessions()).toEqual([laptop.sid]);
  expect(decodeJwt(logoutTokens[0] ?? '').replaced_by).toBe(replacing?.id);
});

it('answers the sign-out when the shop’s server refuses the logout token, and sends it again later', async () => {
  const { laptop, phone } = await signInOnTwoDevices();
  status = 503;
  const answer = await provider.call('POST', '/sign-out', { token: laptop.token, body: {} });
  expect(answer.status).toBe(200);
  expect(notifiedSessions()).toEqual([laptop.sid]);
  status = 200;
  // The token is due again after two seconds. The provider retries every ten, and when its user changes something.
  await expect
    .poll(
      async () => {
        await provider.sql('update session_end set due_at = now() where attempts = 1');
        await changeSomething(phone.token);
        return provider.sql('select 1 from session_end');
      },
      { interval: 50 },
    )
    .toEqual([]);
  expect(notifiedSessions()).toEqual([laptop.sid, laptop.sid]);
});

it('sends the tokens of other sessions when the shop’s server refuses that of one', async () => {
  const { email, laptop, phone } = await signInOnTwoDevices();
  const { token } = await authenticate('/sign-in/email', email);
  refusesFirst = true;
  await provider.call('DELETE', '/sessions', { token });
  expect(notifiedSessions().sort()).toEqual([laptop.sid, phone.sid].sort());
  const waiting = await provider.sql('select session_id from session_end');
  expect(waiting).toEqual([{ session_id: notifiedSessions()[0] }]);
  await provider.sql('delete from session_end');
});

it('sends a logout token for each session of an erased account', async () => {
  const { email, laptop, phone } = await signInOnTwoDevices();
  await provider.call('POST', '/admin/erase', { token: SERVICE_SECRET, body: { email } });
  expect(notifiedSessions().sort()).toEqual([laptop.sid, phone.sid].sort());
});

it('does not let a request wait for the ended sessions of other accounts, which are sent in the background', {
  tags: 'long',
}, async () => {
  const { email, laptop, phone } = await signInOnTwoDevices();
  await provider.sql('delete from "user" where email = $1', [email]);
  await signInOnTwoDevices();
  expect(notifiedSessions()).toEqual([]);
  await expect
    .poll(() => notifiedSessions().sort(), { timeout: 20_000 })
    .toEqual([laptop.sid, phone.sid].sort());
});

it('answers after a second when its own account has many sessions to end, and sends the others at once', async () => {
  const { email, laptop } = await signInOnTwoDevices();
  await provider.sql(
    `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
     select 'many' || number, 'many' || number, id, now() + interval '1 day', now(), now()
       from "user", generate_series(1, 6) as number where email = $1`,
    [email],
  );
  latencyMs = 300;
  await provider.call('DELETE', '/sessions', { token: laptop.token });
  expect(logoutTokens.length).toBeLessThan(6);
  await expect.poll(() => new Set(notifiedSessions()).size, { timeout: 5_000 }).toBe(7);
});
