import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, PASSWORD, SERVICE_SECRET } from '#identity/testing/provider.ts';
import { type Inbox, startInbox } from '#tests/harness/people/inbox.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { fakeEnvironment, type OpenedClient, openClient } from '#web/session/identity/testing/environment.ts';

let origin: string;
let inbox: Inbox;
let stop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  const port = await freePorts(1);
  inbox = await startInbox();
  origin = `http://127.0.0.1:${port}`;
  const provider = spawn(process.execPath, ['identity/main.ts'], {
    cwd: new URL('../../', import.meta.url),
    env: {
      IDENTITY_DATABASE_URL: database.url,
      IDENTITY_ORIGIN: origin,
      IDENTITY_TRUSTED_ORIGINS: 'https://shop.example',
      IDENTITY_SECRET: 'a secret for tests that is long enough',
      IDENTITY_SERVICE_SECRET: SERVICE_SECRET,
      IDENTITY_SHOP_NAME: 'Zweite Hand',
      IDENTITY_PORT: String(port),
      IDENTITY_RATE_LIMIT: 'off',
      IDENTITY_SMTP_URL: inbox.smtpUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(provider, 'exit');
  await new Promise<void>((resolve, reject) => {
    provider.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Server listening')) resolve();
    });
    ended.then(() => reject(new Error('The provider exited before it listened.')), reject);
  });
  stop = async () => {
    provider.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await inbox.close();
    await database.drop();
  };
});
afterAll(() => stop());

function openProviderClient() {
  const { environment } = fakeEnvironment({ fetch: (url, init) => fetch(url, init) });
  return openClient(environment, `${origin}/identity`);
}

function signedInUser(client: OpenedClient) {
  const user = client.state()?.user;
  if (!user) throw new Error('Nobody is signed in.');
  return user;
}

let people = 0;
const newEmail = () => `guest${++people}@mail.example`;

describe('the browser client and the identity provider in a process of its own', () => {
  it('sign up, which sends an email, set a name, sign out and sign in again', async () => {
    const client = openProviderClient();
    const email = newEmail();
    await client.signUp(email, PASSWORD);
    const created = signedInUser(client);
    await inbox.waitForEmail(email, 'Is this your email address?');
    expect(created).toMatchObject({
      email,
      displayName: null,
      emailVerified: false,
      phoneNumber: null,
      photoURL: null,
      isAnonymous: false,
      providerData: [{ providerId: 'password', uid: email }],
    });
    await client.setDisplayName('Ann Smith');
    expect(signedInUser(client)).toMatchObject({ uid: created.uid, displayName: 'Ann Smith' });
    await client.signOut();
    expect(client.state()?.user).toBeNull();
    await client.signIn(email.toUpperCase(), PASSWORD);
    const back = signedInUser(client);
    expect(back).toMatchObject({ uid: created.uid, displayName: 'Ann Smith' });
    expect(Date.parse(back.metadata.lastSignInTime)).toBeGreaterThan(Date.parse(back.metadata.creationTime));
    client.dispose();
  });

  it('issue ID tokens that the published keys verify', async () => {
    const client = openProviderClient();
    await client.signUp(newEmail(), PASSWORD);
    await client.setDisplayName('Bea');
    const token = await client.getIdToken(true);
    const user = signedInUser(client);
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${origin}/identity/jwks`)), {
      issuer: `${origin}/identity`,
      audience: 'coomercio',
    });
    expect(payload).toMatchObject({ sub: user.uid, email: user.email, name: 'Bea' });
    client.dispose();
  });

  it.each([
    ['Ab1!x', 'Password must be 6 character or longer'],
    ['secret#1', 'Password must be contain a capital letter and a special character.'],
  ])('refuse the password %s with the shop’s message', async (password, message) => {
    const client = openProviderClient();
    await expect(client.signUp(newEmail(), password)).rejects.toMatchObject({
      code: 'weak_password',
      message,
      errors: { password: message },
    });
    client.dispose();
  });

  it('report the provider’s refusals as the client’s errors', async () => {
    const client = openProviderClient();
    const email = newEmail();
    await client.signUp(email, PASSWORD);
    const failingCalls = [
      [() => client.signUp(email, PASSWORD), 'email_already_in_use'],
      [() => client.signUp('nobody', PASSWORD), 'invalid_input'],
      [() => client.signIn(email, 'Wrong#123'), 'invalid_credential'],
    ] as const;
    for (const [attempt, code] of failingCalls) await expect(attempt()).rejects.toMatchObject({ code });
    client.dispose();
  });

  it('sign out a disabled account with the reason and refuse to sign it in again', async () => {
    const client = openProviderClient();
    const email = newEmail();
    await client.signUp(email, PASSWORD);
    await fetch(`${origin}/identity/admin/disable`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SERVICE_SECRET}` },
      body: JSON.stringify({ email }),
    });
    await expect(client.getIdToken(true)).rejects.toMatchObject({ code: 'user_disabled' });
    expect(client.state()).toEqual({ user: null, reason: expect.stringContaining('account is disabled') });
    await expect(client.signIn(email, PASSWORD)).rejects.toMatchObject({
      code: 'user_disabled',
      message: expect.stringContaining('account is disabled'),
    });
    client.dispose();
  });

  it('sign out a session that another device ended', async () => {
    const laptop = openProviderClient();
    const email = newEmail();
    await laptop.signUp(email, PASSWORD);
    const phone = await fetch(`${origin}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const ended = await fetch(`${origin}/identity/sessions`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${phone.headers.get('set-auth-token')}` },
    });
    expect(await ended.json()).toEqual({ deletedCount: 1 });
    await expect(laptop.getIdToken(true)).rejects.toMatchObject({ code: 'session_ended' });
    expect(laptop.state()).toEqual({ user: null, reason: expect.stringContaining('session has ended') });
    laptop.dispose();
  });
});
