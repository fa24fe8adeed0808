import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

const SessionResponse = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string(), email: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const PendingSignIn = z.object({ secondFactor: z.object({ challenge: z.string() }) });

let provider: RunningProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const post = (path: string, token: string | null, body: unknown = {}) =>
  provider.call('POST', path, { body, ...(token === null ? {} : { token }) });

/** Creates an account with a passkey and recovery codes. */
async function signUpWithPasskey(email: string) {
  const signedUp = await post('/sign-up/email', null, { email, password: PASSWORD });
  const { sessionToken } = SessionResponse.parse(await signedUp.json());
  const asked = await post('/passkeys/options', sessionToken, { password: PASSWORD });
  const options = z.object({ challenge: z.string() }).parse(await asked.json());
  const response = createAuthenticator(provider.origin).create(options);
  return SessionResponse.parse(
    await (await post('/passkeys', sessionToken, { name: 'Phone', response })).json(),
  );
}

const signIn = async (email: string): Promise<unknown> =>
  (await post('/sign-in/email', null, { email, password: PASSWORD })).json();

it('removes all second factors, recovery codes and sessions, so that the password alone signs in', async () => {
  const lost = await signUpWithPasskey('lost@mail.example');
  const other = await signUpWithPasskey('other@mail.example');
  const pending = PendingSignIn.parse(await signIn(lost.user.email)).secondFactor;

  const answer = await post('/admin/reset-second-factor', SERVICE_SECRET, { email: 'Lost@mail.example' });
  expect([answer.status, await answer.json()]).toEqual([200, { reset: true }]);

  expect((await provider.call('GET', '/token', { token: lost.sessionToken })).status).toBe(401);
  const code = lost.recoveryCodes?.[0];
  expect((await post('/sign-in/code', pending.challenge, { code })).status).toBe(401);
  SessionResponse.parse(await signIn(lost.user.email));
  for (const table of ['totp', 'recovery_code', 'passkey']) {
    const rows = await provider.sql(`select 1 from ${table} where user_id = $1`, [lost.user.uid]);
    expect(rows, table).toEqual([]);
  }

  expect((await provider.call('GET', '/token', { token: other.sessionToken })).status).toBe(200);
  PendingSignIn.parse(await signIn(other.user.email));
});

it('requires the service secret and refuses an unknown account', async () => {
  const person = await signUpWithPasskey('careful@mail.example');
  const body = { email: person.user.email };
  expect((await post('/admin/reset-second-factor', null, body)).status).toBe(403);
  expect((await post('/admin/reset-second-factor', person.sessionToken, body)).status).toBe(403);
  PendingSignIn.parse(await signIn(person.user.email));
  const nobody = await post('/admin/reset-second-factor', SERVICE_SECRET, { email: 'nobody@mail.example' });
  expect(nobody.status).toBe(404);
});
