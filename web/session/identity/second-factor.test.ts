import { afterEach, expect, it } from 'vitest';
import { createIdentityClient } from './client.ts';
import { SecondFactorRequired } from './errors.ts';
import type { IdentityClient } from './identity-client.ts';
import { ann, fakeEnvironment, idToken, json, PROVIDER, refusal } from './testing/environment.ts';

let opened: IdentityClient[] = [];
afterEach(() => {
  for (const client of opened) client.dispose();
  opened = [];
});

/** A provider at which the password alone is not enough. */
function careful() {
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
  const client = createIdentityClient(PROVIDER, fake.environment);
  opened.push(client);
  return { ...fake, client };
}

it('a password is not enough where a second factor is due; nothing is signed in and nothing kept', async () => {
  const { client, environment } = careful();
  const attempt = client.signInWithEmailAndPassword('ann@mail.example', 'Secret#1');
  await expect(attempt).rejects.toBeInstanceOf(SecondFactorRequired);
  await expect(attempt).rejects.toMatchObject({
    code: 'auth/multi-factor-auth-required',
    methods: ['totp', 'passkey'],
  });
  expect(client.state()).toMatchObject({ loading: false, user: null });
  expect(await environment.stores[0]?.read()).toBeNull();
});

it('a code completes it, after a wrong one too', async () => {
  const { client, provider } = careful();
  await client.signInWithEmailAndPassword('ann@mail.example', 'Secret#1').catch(() => {});
  await expect(client.proveWithCode('000000')).rejects.toMatchObject({
    code: 'auth/invalid-verification-code',
    message: 'This code is not right.',
  });
  const user = await client.proveWithCode('123456');
  expect(user.uid).toBe('ann');
  expect(provider.requests.at(-1)).toMatchObject({ path: '/sign-in/code', token: 'Bearer challenge' });
  await expect(client.proveWithCode('123456')).rejects.toMatchObject({ code: 'auth/user-token-expired' });
});

it('a passkey completes it, or signs in alone when nothing is due', async () => {
  const { client, provider } = careful();
  await client.signInWithPasskey();
  expect(provider.requests.at(-1)).toMatchObject({
    token: null,
    body: { response: { used: { challenge: 'for null' } } },
  });
  await client.signOut();
  await client.signInWithEmailAndPassword('ann@mail.example', 'Secret#1').catch(() => {});
  await client.signInWithPasskey();
  expect(provider.requests.at(-1)).toMatchObject({ path: '/sign-in/passkey', token: 'Bearer challenge' });
});

it('can be given up', async () => {
  const { client } = careful();
  await client.signInWithEmailAndPassword('ann@mail.example', 'Secret#1').catch(() => {});
  client.forgetSecondFactor();
  await expect(client.proveWithCode('123456')).rejects.toMatchObject({ code: 'auth/user-token-expired' });
});

it('a new second factor changes the session that is kept, and the person stays signed in', async () => {
  const { client, provider, environment } = careful();
  provider.answer = ({ path }) =>
    path === '/totp/confirm'
      ? json(200, { sessionToken: 'stronger', idToken: idToken(), user: ann, recoveryCodes: ['one', 'two'] })
      : null;
  await client.signInWithEmailAndPassword('ann@mail.example', 'Secret#1');
  expect(await client.account.confirmAuthenticator('123456')).toEqual(['one', 'two']);
  expect(client.state().user?.uid).toBe('ann');
  expect(await environment.stores[0]?.read()).toMatchObject({ sessionToken: 'stronger' });
});
