import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

const Signed = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string(), email: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const Due = z.object({ secondFactor: z.object({ challenge: z.string() }) });

let provider: RunningProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const post = (path: string, token: string | null, body: unknown = {}) =>
  provider.call('POST', path, { body, ...(token === null ? {} : { token }) });

/** Somebody with a passkey, and with recovery codes for when it is lost. */
async function withPasskey(email: string) {
  const signedUp = await post('/sign-up/email', null, { email, password: PASSWORD });
  const { sessionToken } = Signed.parse(await signedUp.json());
  const asked = await post('/passkeys/options', sessionToken, { password: PASSWORD });
  const options = z.object({ challenge: z.string() }).parse(await asked.json());
  const response = createAuthenticator(provider.origin).create(options);
  return Signed.parse(await (await post('/passkeys', sessionToken, { name: 'Phone', response })).json());
}

const signIn = async (email: string): Promise<unknown> =>
  (await post('/sign-in/email', null, { email, password: PASSWORD })).json();

it('takes every factor, code and session, so that the password alone signs in again', async () => {
  const lost = await withPasskey('lost@mail.example');
  const other = await withPasskey('other@mail.example');
  const under = Due.parse(await signIn(lost.user.email)).secondFactor;

  const answer = await post('/admin/reset-second-factor', SERVICE_SECRET, { email: 'Lost@mail.example' });
  expect([answer.status, await answer.json()]).toEqual([200, { reset: true }]);

  expect((await provider.call('GET', '/token', { token: lost.sessionToken })).status).toBe(401);
  const code = lost.recoveryCodes?.[0];
  expect((await post('/sign-in/code', under.challenge, { code })).status).toBe(401);
  Signed.parse(await signIn(lost.user.email));
  for (const table of ['totp', 'recovery_code', 'passkey']) {
    const rows = await provider.sql(`select 1 from ${table} where user_id = $1`, [lost.user.uid]);
    expect(rows, table).toEqual([]);
  }

  expect((await provider.call('GET', '/token', { token: other.sessionToken })).status).toBe(200);
  Due.parse(await signIn(other.user.email));
});

it('is for the shop alone, and tells when there is no such account', async () => {
  const person = await withPasskey('careful@mail.example');
  const body = { email: person.user.email };
  expect((await post('/admin/reset-second-factor', null, body)).status).toBe(403);
  expect((await post('/admin/reset-second-factor', person.sessionToken, body)).status).toBe(403);
  Due.parse(await signIn(person.user.email));
  const nobody = await post('/admin/reset-second-factor', SERVICE_SECRET, { email: 'nobody@mail.example' });
  expect(nobody.status).toBe(404);
});
