import { afterEach, expect, it, vi } from 'vitest';
import { confirmAuthenticator } from '#contract/identity/second-factor.ts';
import {
  ann,
  fakeEnvironment,
  idToken,
  json,
  type OpenedClient,
  openClient,
  refusal,
} from './testing/environment.ts';

vi.mock('@simplewebauthn/browser', () => import('./testing/passkeys.ts'));

let opened: OpenedClient[] = [];
afterEach(() => {
  for (const client of opened) client.dispose();
  opened = [];
});

/** Opens a client whose provider requires a second factor. */
function openClientWithSecondFactor() {
  const fake = fakeEnvironment();
  fake.provider.answer = ({ path, token, body }) => {
    if (path === '/sign-in/email' || path === '/sign-in/continue') {
      return json(200, { secondFactor: { challenge: 'challenge', methods: ['totp', 'passkey'] } });
    }
    if (path === '/sign-in/code' && JSON.stringify(body) !== '{"code":"123456"}') {
      return refusal(422, 'invalid_code', 'This code is not right.');
    }
    if (path === '/sign-in/passkey/options') return json(200, { challenge: `for ${token}` });
    return null;
  };
  const client = openClient(fake.environment);
  opened.push(client);
  return { ...fake, client };
}

it('requires a second factor after the password, and stores nothing before it', async () => {
  const { client, environment } = openClientWithSecondFactor();
  expect(await client.signIn('ann@mail.example', 'Secret#1')).toEqual({
    methods: ['totp', 'passkey'],
    challenge: 'challenge',
  });
  expect(await client.whenKnown()).toBeNull();
  expect(await environment.stores[0]?.read()).toBeNull();
});

it('completes the sign-in with a code, after a wrong one too', async () => {
  const { client, provider } = openClientWithSecondFactor();
  await expect(client.signInWithCode('challenge', '000000')).rejects.toMatchObject({
    code: 'invalid_code',
    message: 'This code is not right.',
  });
  expect(await client.signInWithCode('challenge', '123456')).toBeNull();
  expect(client.state()?.user?.uid).toBe('ann');
  expect(provider.requests.at(-1)).toMatchObject({ path: '/sign-in/code', token: 'Bearer challenge' });
});

it('completes the sign-in with a passkey, or signs in with the passkey alone', async () => {
  const { client, provider } = openClientWithSecondFactor();
  await client.signInWithPasskey(null);
  expect(provider.requests.at(-1)).toMatchObject({
    token: null,
    body: { response: { used: { challenge: 'for null' } } },
  });
  await client.signOut();
  await client.signInWithPasskey('challenge');
  expect(provider.requests.at(-1)).toMatchObject({ path: '/sign-in/passkey', token: 'Bearer challenge' });
});

it('replaces the stored session after a second factor was added, and stays signed in', async () => {
  const { client, provider, environment } = openClientWithSecondFactor();
  provider.answer = ({ path }) =>
    path === '/totp/confirm'
      ? json(200, { sessionToken: 'stronger', idToken: idToken(), user: ann, recoveryCodes: ['one', 'two'] })
      : null;
  await client.signIn('ann@mail.example', 'Secret#1');
  const { recoveryCodes } = await client.call(confirmAuthenticator, { body: { code: '123456' } });
  expect(recoveryCodes).toEqual(['one', 'two']);
  expect(client.state()?.user?.uid).toBe('ann');
  expect(await environment.stores[0]?.read()).toMatchObject({ sessionToken: 'stronger' });
});
