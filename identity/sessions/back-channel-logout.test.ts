import { createServer } from 'node:http';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { portOf } from '#tests/harness/ports.ts';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const Signed = z.object({ sessionToken: z.string(), idToken: z.string() });

let provider: RunningProvider;
/** What the shop's server was told, and how it answers. */
const told: string[] = [];
let status = 200;
let people = 0;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true) {
    told.push(new URLSearchParams(body).get('logout_token') ?? '');
  }
  response.writeHead(status).end();
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
  told.length = 0;
  status = 200;
});

async function enter(path: '/sign-up/email' | '/sign-in/email', email: string) {
  const answer = await provider.call('POST', path, { body: { email, password: PASSWORD } });
  const { sessionToken, idToken } = Signed.parse(await answer.json());
  return { token: sessionToken, sid: String(decodeJwt(idToken).sid) };
}

/** Somebody signed in at a requests and on a phone. */
async function onTwoDevices() {
  const email = `ended${++people}@mail.example`;
  return {
    email,
    requests: await enter('/sign-up/email', email),
    phone: await enter('/sign-in/email', email),
  };
}

const sessionsTold = () => told.map((token) => decodeJwt(token).sid);

it('tells with a signed token that names the session, the event and nobody, before signing out is answered', async () => {
  const { requests } = await onTwoDevices();
  await provider.call('POST', '/sign-out', { token: requests.token, body: {} });
  expect(told).toHaveLength(1);
  const keys = createRemoteJWKSet(new URL(`${provider.url}/jwks`));
  const { payload } = await jwtVerify(told[0] ?? '', keys, { issuer: provider.url, audience: 'coomercio' });
  expect(payload).toMatchObject({
    sid: requests.sid,
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  expect(Object.keys(payload).sort()).toEqual(['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid']);
  expect(await provider.sql('select 1 from session_end')).toEqual([]);
});

it.each([
  ['one session', (phone: string) => `/sessions/${phone}`],
  ['all others', () => '/sessions'],
])('tells of %s ended from another device, and not of the one that goes on', async (_which, pathOf) => {
  const { requests, phone } = await onTwoDevices();
  await provider.call('DELETE', pathOf(phone.sid), { token: requests.token });
  expect(sessionsTold()).toEqual([phone.sid]);
});

it('tells of the sessions that a new password ends', async () => {
  const { requests, phone } = await onTwoDevices();
  await provider.call('POST', '/password/change', {
    token: requests.token,
    body: { currentPassword: PASSWORD, password: 'Willow#4Harbour' },
  });
  expect(sessionsTold()).toEqual([phone.sid]);
});

it('waits a minute where the browser itself goes on with another session', async () => {
  const { requests } = await onTwoDevices();
  await provider.call('POST', '/sign-in/again', { token: requests.token, body: { password: PASSWORD } });
  expect(told).toEqual([]);
  const [waiting] = await provider.sql(
    `select session_id, due_at - now() between interval '50 seconds' and interval '1 minute' as soon from session_end`,
  );
  expect(waiting).toEqual({ session_id: requests.sid, soon: true });
  await provider.sql('update session_end set due_at = now()');
  await onTwoDevices();
  expect(sessionsTold()).toEqual([requests.sid]);
});

it('answers all the same when the shop’s server does not take it, and tells it later', async () => {
  const { requests } = await onTwoDevices();
  status = 503;
  const answer = await provider.call('POST', '/sign-out', { token: requests.token, body: {} });
  expect(answer.status).toBe(200);
  expect(sessionsTold()).toEqual([requests.sid]);
  status = 200;
  // Two seconds of its own waiting, and the provider looks every ten; another request looks as well.
  await expect
    .poll(
      async () => {
        await provider.sql('update session_end set due_at = now() where attempts = 1');
        await provider.call('POST', '/sign-out', { body: {} });
        return provider.sql('select 1 from session_end');
      },
      { interval: 50 },
    )
    .toEqual([]);
  expect(sessionsTold()).toEqual([requests.sid, requests.sid]);
});

it('tells of a session that ended with its account, however that was removed', async () => {
  const { email, requests, phone } = await onTwoDevices();
  await provider.sql('delete from "user" where email = $1', [email]);
  await onTwoDevices();
  expect(sessionsTold().sort()).toEqual([requests.sid, phone.sid].sort());
});
