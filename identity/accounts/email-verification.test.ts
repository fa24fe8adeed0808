import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Inbox } from '#tests/harness/people/inbox.ts';
import {
  newEmail,
  type ProviderWithMail,
  SHOP_ORIGIN,
  startProviderWithMail,
  VERIFICATION_SUBJECT,
} from '#tests/harness/people/provider-with-mail.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, type RunningProvider } from '../testing/provider.ts';

const NEW_PASSWORD = 'Kettle#9Marble';
const SessionResponse = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({ uid: z.string(), emailVerified: z.boolean() }),
});
const VerificationResponse = z.object({ success: z.literal(true), passwordToken: z.nullable(z.string()) });
const PasskeyOptions = z.object({ challenge: z.string() });

let mail: ProviderWithMail;
let provider: RunningProvider;
let inbox: Inbox;

beforeAll(async () => {
  mail = await startProviderWithMail();
  ({ provider, inbox } = mail);
});
afterAll(() => mail.stop());

const newDevice = () => crypto.randomUUID().replaceAll('-', '');

/** Sends JSON, optionally with a device token and a bearer token. */
const post = (path: string, body: unknown, from: { device?: string; token?: string } = {}) =>
  provider.call('POST', path, {
    body,
    ...(from.token === undefined ? {} : { token: from.token }),
    ...(from.device === undefined ? {} : { headers: { 'device-token': from.device } }),
  });
const signUp = async (email: string, { device, name = 'Ann' }: { device?: string; name?: string } = {}) =>
  SessionResponse.parse(
    await (
      await post(
        '/sign-up/email',
        { email, password: PASSWORD, name },
        device === undefined ? {} : { device },
      )
    ).json(),
  );
const signIn = (email: string, password: string) => post('/sign-in/email', { email, password });
const isValid = async (token: string) => (await provider.call('GET', '/token', { token })).status === 200;

const readLinkToken = (email: string) => mail.readLinkToken(email, VERIFICATION_SUBJECT);
const verify = (token: string, device?: string) =>
  post('/email/verify', { token }, device === undefined ? {} : { device });

/** Adds a passkey and an authenticator app. */
async function addSecondFactors(token: string, userId: string) {
  const options = PasskeyOptions.parse(
    await (await post('/passkeys/options', { password: PASSWORD }, { token })).json(),
  );
  const authenticator = createAuthenticator(SHOP_ORIGIN);
  const added = await post(
    '/passkeys',
    { name: 'Phone', response: authenticator.create(options) },
    { token },
  );
  await provider.sql(`insert into totp (user_id, sealed_secret, confirmed_at) values ($1, 'sealed', now())`, [
    userId,
  ]);
  return { authenticator, sessionToken: SessionResponse.parse(await added.json()).sessionToken };
}

describe('verifying an email address', () => {
  it('verifies the address once with the link that is sent after sign-up', async () => {
    const email = newEmail();
    const device = newDevice();
    const { sessionToken, user } = await signUp(email, { device });
    expect(user.emailVerified).toBe(false);
    const token = await readLinkToken(email);
    expect((await verify(token, device)).status).toBe(200);
    const fresh = await provider.call('GET', '/token', { token: sessionToken });
    const now = z.object({ user: z.object({ emailVerified: z.boolean() }) }).parse(await fresh.json());
    expect(now.user.emailVerified).toBe(true);
    const again = await verify(token);
    expect(again.status).toBe(410);
    expect(await again.json()).toMatchObject({ code: 'link_spent' });
  });

  it('links to the shop with the token in the fragment and stores only the token’s hash', async () => {
    const email = newEmail();
    const { user } = await signUp(email, { name: 'Ann Smith' });
    const { text, html } = await inbox.waitForEmail(email, VERIFICATION_SUBJECT);
    const [, token = ''] = /http:\/\/pages\.example\/verify-email#([\w-]{43})\n/.exec(text ?? '') ?? [];
    expect(token).not.toBe('');
    expect(html).toContain(`href="http://pages.example/verify-email#${token}"`);
    const kept = JSON.stringify(
      await provider.sql('select * from email_link where user_id = $1', [user.uid]),
    );
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('refuses a name that pretends to be the shop, or is a sentence, and greets without one', async () => {
    const email = newEmail();
    const device = newDevice();
    const refused = ['Coomercio Official Support', 'Your payment failed. Call the shop at +1 900 555 0100'];
    for (const name of refused) {
      const response = await post('/sign-up/email', { email, password: PASSWORD, name });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ errors: { name: expect.any(String) } });
    }
    const { sessionToken } = await signUp(email, { device, name: 'Paulo' });
    for (const displayName of refused) {
      const response = await provider.call('PATCH', '/user', { token: sessionToken, body: { displayName } });
      expect(response.status).toBe(422);
    }
    expect((await verify(await readLinkToken(email), device)).status).toBe(200);
    await post('/password/reset-letter', { email });
    const proven = await inbox.waitForEmail(email, 'Choose a new password');
    expect(proven.text).toMatch(/^Hello,\n/);
    expect(`${proven.text}${proven.html}`).not.toContain('Paulo');
  });

  it('sends another link after a minute; one use invalidates all links, and each expires after a day', async () => {
    const email = newEmail();
    const device = newDevice();
    const { sessionToken, user } = await signUp(email, { device });
    const first = await readLinkToken(email);
    const ask = () => provider.call('POST', '/email/verification-letter', { token: sessionToken });
    const early = await ask();
    expect(early.status).toBe(429);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    await provider.sql(`update rate_limits set empty_at = empty_at - interval '2 minutes'`);
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await inbox.emailsTo(email)).length).toBe(2);
    const second = await readLinkToken(email);
    await provider.sql(
      `update email_link set expires_at = expires_at - interval '1 day' where user_id = $1`,
      [user.uid],
    );
    expect((await verify(first, device)).status).toBe(410);
    await provider.sql(
      `update email_link set expires_at = expires_at + interval '1 day' where user_id = $1`,
      [user.uid],
    );
    expect((await verify(first, device)).status).toBe(200);
    expect((await verify(second, device)).status).toBe(410);
  });

  it.each(['', 'x', 'a'.repeat(43), `${'a'.repeat(42)}'`, '../../../etc/passwd'])(
    'refuses an unknown token: %j',
    async (token) => {
      expect([410, 422]).toContain((await verify(token)).status);
      expect([410, 422]).toContain((await post('/password/reset', { token, password: NEW_PASSWORD })).status);
    },
  );
});

describe('verifying an address in another browser than the one that registered', () => {
  it('removes the password, sessions, passkeys and authenticator app of the registration', async () => {
    const email = newEmail();
    const attacker = await signUp(email, { device: newDevice() });
    const { uid } = attacker.user;
    const link = await readLinkToken(email);
    const { authenticator, sessionToken } = await addSecondFactors(attacker.sessionToken, uid);

    const { passwordToken } = VerificationResponse.parse(await (await verify(link, newDevice())).json());
    expect(await isValid(sessionToken)).toBe(false);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const asked = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', {})).json());
    expect((await post('/sign-in/passkey', { response: authenticator.get(asked) })).status).toBe(422);
    // The shop is notified, so that it refuses the ID tokens of that session as well.
    const open = await provider.sql('select 1 from session where "userId" = $1', [uid]);
    expect(open).toEqual([]);
    expect((await provider.sql('select 1 from session_end')).length).toBeGreaterThan(0);

    // The owner sets a password and signs in without the attacker's second factors.
    const chosen = await post('/password/reset', { token: passwordToken, password: NEW_PASSWORD });
    expect(chosen.status).toBe(200);
    const owner = SessionResponse.parse(await (await signIn(email, NEW_PASSWORD)).json());
    expect(owner.user).toEqual({ uid, emailVerified: true });
    expect(decodeJwt(owner.idToken)).toMatchObject({ email_verified: true, email_reclaimed: true });
    expect((await signIn(email, PASSWORD)).status).toBe(401);
  });

  it('removes nothing in the browser that registered', async () => {
    const email = newEmail();
    const device = newDevice();
    const owner = await signUp(email, { device });
    const { sessionToken } = await addSecondFactors(owner.sessionToken, owner.user.uid);
    expect(await (await verify(await readLinkToken(email), device)).json()).toEqual({
      success: true,
      passwordToken: null,
    });
    expect(await isValid(sessionToken)).toBe(true);
    expect(await (await signIn(email, PASSWORD)).json()).toHaveProperty('secondFactor');
  });

  it('counts a device that registered another account, or no device, as another browser', async () => {
    const [email, own] = [newEmail(), newEmail()];
    const attacker = await signUp(email, { device: newDevice() });
    const device = newDevice();
    const victim = await signUp(own, { device });
    const answer = await post(
      '/email/verify',
      { token: await readLinkToken(email) },
      { device, token: victim.sessionToken },
    );
    expect(VerificationResponse.parse(await answer.json()).passwordToken).not.toBeNull();
    expect(await isValid(attacker.sessionToken)).toBe(false);
    expect(await isValid(victim.sessionToken)).toBe(true);

    const third = newEmail();
    const withoutDevice = await signUp(third);
    await verify(await readLinkToken(third));
    expect(await isValid(withoutDevice.sessionToken)).toBe(false);
  });

  it('removes nothing when the address is already verified', async () => {
    const email = newEmail();
    const device = newDevice();
    const { sessionToken, user } = await signUp(email, { device });
    const link = await readLinkToken(email);
    await provider.sql('update "user" set "emailVerified" = true where id = $1', [user.uid]);
    expect(await (await verify(link, newDevice())).json()).toEqual({ success: true, passwordToken: null });
    expect(await isValid(sessionToken)).toBe(true);
  });

  it('also removes the results of concurrent requests by the registration’s sessions', async () => {
    const email = newEmail();
    const { user, sessionToken: token } = await signUp(email, { device: newDevice() });
    const others = await Promise.all(
      Array.from({ length: 3 }, async () =>
        SessionResponse.parse(await (await signIn(email, PASSWORD)).json()),
      ),
    );
    const made = PasskeyOptions.parse(
      await (await post('/passkeys/options', { password: PASSWORD }, { token })).json(),
    );
    const response = createAuthenticator(SHOP_ORIGIN).create(made);
    const link = await readLinkToken(email);
    const [again, changing] = others.map(({ sessionToken }) => sessionToken);
    const concurrent = [
      signIn(email, PASSWORD),
      post('/sign-in/again', { password: PASSWORD }, { token: again ?? '' }),
      post(
        '/password/change',
        { currentPassword: PASSWORD, password: 'Quarry#4Lamp' },
        { token: changing ?? '' },
      ),
      post('/passkeys', { name: 'Phone', response }, { token }),
    ];
    expect((await verify(link, newDevice())).status).toBe(200);
    await Promise.all(concurrent);
    const left = await provider.sql(
      `select (select count(*)::int from session where "userId" = $1) as sessions,
              (select count(*)::int from account where "userId" = $1) as accounts,
              (select count(*)::int from passkey where user_id = $1) as passkeys`,
      [user.uid],
    );
    expect(left).toEqual([{ sessions: 0, accounts: 0, passkeys: 0 }]);
  });
});
