import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/inbox.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const SHOP = 'http://pages.example';
const VERIFY = 'Is this your e-mail address?';
const OTHER = 'Kettle#9Marble';
const Signed = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string(), emailVerified: z.boolean() }),
});
const Proven = z.object({ success: z.literal(true), passwordToken: z.nullable(z.string()) });
const Options = z.object({ challenge: z.string() });

let inbox: Inbox;
let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  inbox = await startInbox();
  provider = await startProvider({
    mail: {
      smtpUrl: inbox.smtpUrl,
      from: 'Coomercio <shop@coomercio.example>',
      shopOrigin: SHOP,
    },
  });
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

const newEmail = () => `reader${++people}@mail.example`;
const newDevice = () => crypto.randomUUID().replaceAll('-', '');

/** Sends JSON as a browser does. */
const post = (path: string, body: unknown, from: { device?: string; token?: string } = {}) =>
  provider.call('POST', path, {
    body,
    ...(from.token === undefined ? {} : { token: from.token }),
    ...(from.device === undefined ? {} : { headers: { 'device-token': from.device } }),
  });
const signUp = async (email: string, { device, name = 'Ann' }: { device?: string; name?: string } = {}) =>
  Signed.parse(
    await (
      await post(
        '/sign-up/email',
        { email, password: PASSWORD, name },
        device === undefined ? {} : { device },
      )
    ).json(),
  );
const signIn = (email: string, password: string) => post('/sign-in/email', { email, password });
const isGood = async (token: string) => (await provider.call('GET', '/token', { token })).status === 200;

/** The token in the link of the latest letter that asks for a proof. */
async function linked(email: string) {
  const { text } = await inbox.waitForEmail(email, VERIFY);
  return /#([\w-]+)/.exec(text ?? '')?.[1] ?? '';
}
const verify = (token: string, device?: string) =>
  post('/email/verify', { token }, device === undefined ? {} : { device });

/** Adds a passkey and an authenticator app. */
async function addFactors(token: string, userId: string) {
  const options = Options.parse(
    await (await post('/passkeys/options', { password: PASSWORD }, { token })).json(),
  );
  const authenticator = createAuthenticator(SHOP);
  const added = await post(
    '/passkeys',
    { name: 'Phone', response: authenticator.create(options) },
    { token },
  );
  await provider.sql(`insert into totp (user_id, sealed_secret, confirmed_at) values ($1, 'sealed', now())`, [
    userId,
  ]);
  return { authenticator, sessionToken: Signed.parse(await added.json()).sessionToken };
}

describe('proving an address', () => {
  it('takes the letter that follows a registration; its link works once', async () => {
    const email = newEmail();
    const device = newDevice();
    const { sessionToken, user } = await signUp(email, { device });
    expect(user.emailVerified).toBe(false);
    const token = await linked(email);
    expect((await verify(token, device)).status).toBe(200);
    const fresh = await provider.call('GET', '/token', { token: sessionToken });
    const now = z.object({ user: z.object({ emailVerified: z.boolean() }) }).parse(await fresh.json());
    expect(now.user.emailVerified).toBe(true);
    const again = await verify(token);
    expect(again.status).toBe(410);
    expect(await again.json()).toMatchObject({ code: 'link_spent' });
  });

  it('leads to the shop, with the token where no server sees it, and keeps only its hash', async () => {
    const email = newEmail();
    const { user } = await signUp(email, { name: 'Ann <b>Smith' });
    const { text, html } = await inbox.waitForEmail(email, VERIFY);
    const [, token = ''] = /http:\/\/pages\.example\/verify-email#([\w-]{43})\n/.exec(text ?? '') ?? [];
    expect(token).not.toBe('');
    expect(html).toContain(`href="http://pages.example/verify-email#${token}"`);
    const kept = JSON.stringify(await provider.sql('select * from letter where user_id = $1', [user.uid]));
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('greets by name only once the address is proven: until then anybody may have typed the name', async () => {
    const email = newEmail();
    const device = newDevice();
    await signUp(email, { device, name: 'Call <b>evil.example</b>' });
    const { text, html } = await inbox.waitForEmail(email, VERIFY);
    expect(`${text}${html}`).not.toContain('evil');
    expect((await verify(await linked(email), device)).status).toBe(200);
    await post('/password/reset-letter', { email });
    const proven = await inbox.waitForEmail(email, 'Choose a new password');
    expect(proven.text).toContain('Hello Call <b>evil[.]example</b>,');
    expect(proven.html).toContain('Hello Call &lt;b&gt;evil[.]example&lt;/b&gt;,');
  });

  it('can be asked for again, not at once; one link uses up the others, and none works after a day', async () => {
    const email = newEmail();
    const device = newDevice();
    const { sessionToken, user } = await signUp(email, { device });
    const first = await linked(email);
    const ask = () => provider.call('POST', '/email/verification-letter', { token: sessionToken });
    const early = await ask();
    expect(early.status).toBe(429);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    await provider.sql(`update letter set requested_at = now() - interval '2 minutes' where user_id = $1`, [
      user.uid,
    ]);
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await inbox.emailsTo(email)).length, { timeout: 10_000 }).toBe(2);
    const second = await linked(email);
    await provider.sql(`update letter set expires_at = expires_at - interval '1 day' where user_id = $1`, [
      user.uid,
    ]);
    expect((await verify(first, device)).status).toBe(410);
    await provider.sql(`update letter set expires_at = expires_at + interval '1 day' where user_id = $1`, [
      user.uid,
    ]);
    expect((await verify(first, device)).status).toBe(200);
    expect((await verify(second, device)).status).toBe(410);
  });

  it.each(['', 'x', 'a'.repeat(43), `${'a'.repeat(42)}'`, '../../../etc/passwd'])(
    'takes no link that was never sent: %j',
    async (token) => {
      expect([410, 422]).toContain((await verify(token)).status);
      expect([410, 422]).toContain((await post('/password/reset', { token, password: OTHER })).status);
    },
  );
});

describe('an address that is proven in another browser than the one that registered', () => {
  it('belongs to its owner alone: password, sessions, passkey and authenticator app of the other are gone', async () => {
    const email = newEmail();
    const attacker = await signUp(email, { device: newDevice() });
    const { uid } = attacker.user;
    const link = await linked(email);
    const { authenticator, sessionToken } = await addFactors(attacker.sessionToken, uid);

    const { passwordToken } = Proven.parse(await (await verify(link, newDevice())).json());
    expect(await isGood(sessionToken)).toBe(false);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const asked = Options.parse(await (await post('/sign-in/passkey/options', {})).json());
    expect((await post('/sign-in/passkey', { response: authenticator.get(asked) })).status).toBe(422);
    // The shop is told, so that the ID tokens of that session end as well.
    const open = await provider.sql('select 1 from session where "userId" = $1', [uid]);
    expect(open).toEqual([]);
    expect((await provider.sql('select 1 from session_end')).length).toBeGreaterThan(0);

    // The owner chooses a password at once, the attacker's second factors are not asked for.
    const chosen = await post('/password/reset', { token: passwordToken, password: OTHER });
    expect(chosen.status).toBe(200);
    const owner = Signed.parse(await (await signIn(email, OTHER)).json());
    expect(owner.user).toEqual({ uid, emailVerified: true });
    expect((await signIn(email, PASSWORD)).status).toBe(401);
  });

  it('keeps everything in the browser that registered, also after signing out there', async () => {
    const email = newEmail();
    const device = newDevice();
    const owner = await signUp(email, { device });
    const { sessionToken } = await addFactors(owner.sessionToken, owner.user.uid);
    expect(await (await verify(await linked(email), device)).json()).toEqual({
      success: true,
      passwordToken: null,
    });
    expect(await isGood(sessionToken)).toBe(true);
    expect(await (await signIn(email, PASSWORD)).json()).toHaveProperty('secondFactor');
  });

  it('a device that registered another account is another one, and so is none', async () => {
    const [email, own] = [newEmail(), newEmail()];
    const attacker = await signUp(email, { device: newDevice() });
    const device = newDevice();
    const victim = await signUp(own, { device });
    const answer = await post(
      '/email/verify',
      { token: await linked(email) },
      { device, token: victim.sessionToken },
    );
    expect(Proven.parse(await answer.json()).passwordToken).not.toBeNull();
    expect(await isGood(attacker.sessionToken)).toBe(false);
    expect(await isGood(victim.sessionToken)).toBe(true);

    const third = newEmail();
    const nameless = await signUp(third);
    await verify(await linked(third));
    expect(await isGood(nameless.sessionToken)).toBe(false);
  });

  it('removes nothing once the address is proven', async () => {
    const email = newEmail();
    const device = newDevice();
    const { sessionToken, user } = await signUp(email, { device });
    const link = await linked(email);
    await provider.sql('update "user" set "emailVerified" = true where id = $1', [user.uid]);
    expect(await (await verify(link, newDevice())).json()).toEqual({ success: true, passwordToken: null });
    expect(await isGood(sessionToken)).toBe(true);
  });

  it('leaves nothing to requests of the other that are under way', async () => {
    const email = newEmail();
    const { user, sessionToken: token } = await signUp(email, { device: newDevice() });
    const others = await Promise.all(
      Array.from({ length: 3 }, async () => Signed.parse(await (await signIn(email, PASSWORD)).json())),
    );
    const made = Options.parse(
      await (await post('/passkeys/options', { password: PASSWORD }, { token })).json(),
    );
    const response = createAuthenticator(SHOP).create(made);
    const link = await linked(email);
    const [again, changing] = others.map(({ sessionToken }) => sessionToken);
    const underWay = [
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
    await Promise.all(underWay);
    const left = await provider.sql(
      `select (select count(*)::int from session where "userId" = $1) as sessions,
              (select count(*)::int from account where "userId" = $1) as accounts,
              (select count(*)::int from passkey where user_id = $1) as passkeys`,
      [user.uid],
    );
    expect(left).toEqual([{ sessions: 0, accounts: 0, passkeys: 0 }]);
  });
});
