import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  newEmail,
  type ProviderWithMail,
  SHOP_ORIGIN,
  startProviderWithMail,
} from '#tests/harness/people/provider-with-mail.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, SERVICE_SECRET } from '../testing/provider.ts';

const SessionResponse = z.object({ sessionToken: z.string() });
const PasskeyOptions = z.object({ challenge: z.string() });

let mail: ProviderWithMail;

beforeAll(async () => {
  mail = await startProviderWithMail();
});
afterAll(() => mail.stop());

/** Changes every kind of sign-in method of a new account, also by the operators. @returns the kinds of emails that were queued for it */
async function changeSignInMethods({ isConfirmed }: { isConfirmed: boolean }): Promise<unknown[]> {
  const { provider } = mail;
  const email = newEmail();
  const post = (path: string, token: string, body: unknown) => provider.call('POST', path, { token, body });
  const signedUp = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
  const { sessionToken: first } = SessionResponse.parse(await signedUp.json());
  await provider.sql('update "user" set "emailVerified" = $2 where email = $1', [email, isConfirmed]);

  const changed = await post('/password/change', first, {
    currentPassword: PASSWORD,
    password: 'Kettle#9Marble',
  });
  expect(changed.status).toBe(200);
  const confirmation = { password: 'Kettle#9Marble' };
  const asked = await post('/passkeys/options', first, confirmation);
  const device = createAuthenticator(SHOP_ORIGIN);
  const response = device.create(PasskeyOptions.parse(await asked.json()));
  const added = await post('/passkeys', first, { name: 'Phone', response });
  const { sessionToken } = SessionResponse.parse(await added.json());
  expect((await post('/recovery-codes', sessionToken, confirmation)).status).toBe(200);
  expect((await post(`/passkeys/${device.id}/remove`, sessionToken, confirmation)).status).toBe(200);

  await post('/admin/reset-second-factor', SERVICE_SECRET, { email });
  const queued = await provider.sql(
    `select data->>'kind' as kind from pgboss.job join "user" on "user".id = data->>'userId'
      where email = $1 and data->>'kind' <> 'verify-email' order by created_on`,
    [email],
  );
  return queued.map(({ kind }) => kind);
}

it('tells the owner of a confirmed address of each change of a sign-in method', async () => {
  expect(await changeSignInMethods({ isConfirmed: true })).toEqual([
    'password-changed',
    'second-factor-added',
    'recovery-codes-renewed',
    'second-factor-removed',
    'second-factor-reset',
  ]);
});

it('tells an address that nobody has confirmed only what the operators did', async () => {
  expect(await changeSignInMethods({ isConfirmed: false })).toEqual(['second-factor-reset']);
});
