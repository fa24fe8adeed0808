import { createHash, randomBytes } from 'node:crypto';
import { createEmulator, type Emulator } from 'emulate';
import Fastify from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { freePorts } from '#tests/harness/ports.ts';
import {
  createLoggingApp,
  PASSWORD,
  type RunningProvider,
  SERVICE_SECRET,
  startProvider,
} from '../testing/provider.ts';
import { createIdTokenVerifier } from './openid-provider.ts';

const NONCE = 'nonce-of-the-page-that-opened';
const PAGE = 'http://pages.example';
const PopupMessage = z.object({
  type: z.literal('better-auth:oauth-popup'),
  targetOrigin: z.string(),
  nonce: z.string(),
  token: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string(), description: z.optional(z.string()) })),
});
const TokenResponse = z.object({
  idToken: z.string(),
  user: z.object({
    uid: z.string(),
    displayName: z.nullable(z.string()),
    emailVerified: z.boolean(),
    providerData: z.array(z.object({ providerId: z.string() })),
  }),
});

const log = createLoggingApp();
let google: Emulator;
let provider: RunningProvider;

const verifiedUser = (name: string) => ({ email: `${name}@gmail.example`, name, email_verified: true });

beforeAll(async () => {
  const googlePort = await freePorts(2);
  const port = googlePort + 1;
  const issuer = `http://127.0.0.1:${googlePort}`;
  google = await createEmulator({
    service: 'google',
    port: googlePort,
    baseUrl: issuer,
    seed: {
      google: {
        users: [
          ...['new', 'hijacked', 'linked', 'ended', 'racing', 'twice', 'squatted', 'lettered'].map(
            verifiedUser,
          ),
          { email: 'unproven@elsewhere.example', name: 'Unproven', email_verified: false },
          { ...verifiedUser('long'), name: `Long\u0007${'x'.repeat(200)}` },
        ],
        oauth_clients: [
          {
            client_id: 'shop',
            client_secret: 'secret',
            redirect_uris: [`http://127.0.0.1:${port}/identity/callback/google`],
          },
        ],
      },
    },
  });
  provider = await startProvider(
    { google: { clientId: 'shop', clientSecret: 'secret', issuer } },
    port,
    log.app,
  );
});
afterAll(async () => {
  await provider.stop();
  await google.close();
});

/** A browser window with a cookie jar. */
function openWindow() {
  const jar = new Map<string, string>();
  return {
    /** Requests a URL without following redirects. Checks that the provider's pages cannot be framed. */
    async visit(url: string) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0/i.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      if (url.startsWith(provider.url)) {
        expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      }
      return answer;
    },
    cookies: () => [...jar.keys()],
  };
}

async function readMessage(answer: Response) {
  const [, json = ''] =
    /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(await answer.text()) ?? [];
  return PopupMessage.parse(JSON.parse(json));
}

/** Opens the popup. @returns the URL of Google's consent page */
async function openPopup(browser = openWindow()) {
  const query = new URLSearchParams({ origin: PAGE, nonce: NONCE });
  const start = await browser.visit(`${provider.url}/popup/google?${query}`);
  expect(start.status).toBe(302);
  return { browser, consent: new URL(start.headers.get('location') ?? '') };
}

/** Chooses an account on Google's page. @returns the last page of the popup and its message */
async function signIn(email: string) {
  const { browser, consent } = await openPopup();
  const chosen = await fetch(`${consent.origin}${consent.pathname}/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...Object.fromEntries(consent.searchParams), email }),
  });
  const end = await browser.visit(chosen.headers.get('location') ?? '');
  return { browser, end, outcome: await readMessage(end.clone()) };
}

async function readProfile(sessionToken: string | undefined) {
  return TokenResponse.parse(
    await (await provider.call('GET', '/token', { token: sessionToken ?? '' })).json(),
  );
}

async function signUpWithPassword(email: string, name: string) {
  const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name } });
  return z
    .object({ sessionToken: z.string(), user: z.object({ uid: z.string() }) })
    .parse(await answer.json());
}

describe('signing in with Google', () => {
  it('posts the session only to the origin of the page that opened the popup', async () => {
    const { browser, end, outcome } = await signIn('new@gmail.example');
    expect(end.status).toBe(200);
    expect(outcome).toMatchObject({ targetOrigin: PAGE, nonce: NONCE });
    const { user } = await readProfile(outcome.token);
    expect(user).toMatchObject({
      displayName: 'new',
      emailVerified: true,
      providerData: [{ providerId: 'google.com' }],
    });
    await expect
      .poll(() => log.attempts())
      .toContainEqual({
        attempt: 'google',
        outcome: 'ok',
        account: user.uid,
        requestId: expect.any(String),
      });
    expect(browser.cookies().filter((name) => name.includes('session'))).toEqual([]);
    expect(end.headers.get('cache-control')).toBe('no-store');
    expect(end.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-/);
  });

  it('requests PKCE and the account chooser from Google', async () => {
    const { consent } = await openPopup();
    expect(consent.searchParams.get('code_challenge_method')).toBe('S256');
    expect(consent.searchParams.get('prompt')).toBe('select_account');
    expect(consent.searchParams.get('scope')).toBe('openid email profile');
  });

  it('signs in to the same account the next time and stores no token of Google', async () => {
    const first = await readProfile((await signIn('twice@gmail.example')).outcome.token);
    const second = await readProfile((await signIn('twice@gmail.example')).outcome.token);
    expect(second.user.uid).toBe(first.user.uid);
    const kept = await provider.sql(
      `select 1 from account
        where "accessToken" is not null or "refreshToken" is not null or "idToken" is not null`,
    );
    expect(kept).toEqual([]);
  });

  it('cuts a name from Google to one line of the maximum length', async () => {
    const { user } = await readProfile((await signIn('long@gmail.example')).outcome.token);
    expect(user.displayName).toBe(`Long ${'x'.repeat(95)}`);
  });

  it('reports a cancelled sign-in to the page', async () => {
    const { browser, consent } = await openPopup();
    const back = new URL(consent.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', consent.searchParams.get('state') ?? '');
    expect(await readMessage(await browser.visit(back.href))).toMatchObject({
      targetOrigin: PAGE,
      error: { code: 'access_denied' },
    });
  });

  it('refuses a callback of a sign-in that another browser started', async () => {
    const { consent } = await openPopup();
    const chosen = await fetch(`${consent.origin}${consent.pathname}/callback`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...Object.fromEntries(consent.searchParams), email: 'new@gmail.example' }),
    });
    const end = await openWindow().visit(chosen.headers.get('location') ?? '');
    expect(end.status).toBe(302);
    const page = await openWindow().visit(end.headers.get('location') ?? '');
    expect(await page.text()).toContain('Please close this window and try again.');
  });

  it('refuses a page of an untrusted origin and reports only that code to it', async () => {
    const query = new URLSearchParams({ origin: 'http://evil.example', nonce: NONCE });
    const answer = await openWindow().visit(`${provider.url}/popup/google?${query}`);
    expect(answer.status).toBe(403);
    expect(await readMessage(answer)).toEqual({
      type: 'better-auth:oauth-popup',
      targetOrigin: 'http://evil.example',
      nonce: NONCE,
      error: { code: 'unauthorized_domain', description: expect.any(String) },
    });
  });

  it.each(['javascript:alert(1)', '*', '</script><script>alert(1)</script>'])(
    'runs no script for the origin %s',
    async (origin) => {
      const answer = await openWindow().visit(
        `${provider.url}/popup/google?${new URLSearchParams({ origin, nonce: NONCE })}`,
      );
      expect(await answer.text()).not.toContain('<script');
    },
  );

  it('reports a disabled account to the page', async () => {
    await signIn('ended@gmail.example');
    await provider.call('POST', '/admin/disable', {
      body: { email: 'ended@gmail.example' },
      token: SERVICE_SECRET,
    });
    const { outcome } = await signIn('ended@gmail.example');
    expect(outcome).toMatchObject({ error: { code: 'user_disabled' } });
    await expect
      .poll(() => log.attempts())
      .toContainEqual(expect.objectContaining({ attempt: 'google', outcome: 'user_disabled' }));
    expect(outcome.token).toBeUndefined();
  });
});

describe('an address that was registered with a password before its owner signed in with Google', () => {
  it('loses the password and the sessions of the earlier registration', async () => {
    const email = 'hijacked@gmail.example';
    const thief = await signUpWithPassword(email, 'Thief');
    const { user } = await readProfile((await signIn(email)).outcome.token);
    expect(user).toMatchObject({
      uid: thief.user.uid,
      displayName: 'hijacked',
      emailVerified: true,
      providerData: [{ providerId: 'google.com' }],
    });
    expect((await provider.call('GET', '/token', { token: thief.sessionToken })).status).toBe(401);
    const again = await provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } });
    expect(again.status).toBe(401);
  });

  it('refuses concurrent sign-ins with the old password', async () => {
    const email = 'racing@gmail.example';
    await signUpWithPassword(email, 'Thief');
    const attempts = Array.from({ length: 6 }, () =>
      provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } }),
    );
    const { outcome } = await signIn(email);
    const tokens = (await Promise.all(attempts)).map(({ headers }) => headers.get('set-auth-token'));
    for (const token of tokens) {
      if (token !== null) expect((await provider.call('GET', '/token', { token })).status).toBe(401);
    }
    expect((await readProfile(outcome.token)).user.providerData).toHaveLength(1);
    const sessions = await provider.sql(
      'select 1 from session join "user" on "user".id = "userId" where email = $1',
      [email],
    );
    expect(sessions).toHaveLength(1);
  });

  it('loses an earlier Google account whose address was not verified', async () => {
    const email = 'squatted@gmail.example';
    const squatter = await signUpWithPassword(email, 'Squatter');
    await provider.sql(
      `update account set "providerId" = 'google', "accountId" = 'squatter' where "userId" = $1`,
      [squatter.user.uid],
    );
    await signIn(email);
    const accounts = await provider.sql('select "accountId" from account where "userId" = $1', [
      squatter.user.uid,
    ]);
    expect(accounts).toHaveLength(1);
    expect(accounts).not.toContainEqual({ accountId: 'squatter' });
  });

  it('loses the earlier registration when its owner first verifies it by e-mail', async () => {
    const email = 'lettered@gmail.example';
    const thief = await signUpWithPassword(email, 'Thief');
    const token = randomBytes(32).toString('base64url');
    await provider.sql(
      `insert into letter (user_id, kind, sent_at, token_hash, expires_at)
       values ($1, 'verify-email', now(), $2, now() + interval '1 day')`,
      [thief.user.uid, createHash('sha256').update(token).digest()],
    );
    expect((await provider.call('POST', '/email/verify', { body: { token } })).status).toBe(200);
    const { user } = await readProfile((await signIn(email)).outcome.token);
    expect(user).toMatchObject({ uid: thief.user.uid, providerData: [{ providerId: 'google.com' }] });
    expect((await provider.call('GET', '/token', { token: thief.sessionToken })).status).toBe(401);
  });

  it('keeps its password and sessions when it was verified', async () => {
    const email = 'linked@gmail.example';
    const { sessionToken, user } = await signUpWithPassword(email, 'Linked');
    await provider.sql('update "user" set "emailVerified" = true where id = $1', [user.uid]);
    const linked = await readProfile((await signIn(email)).outcome.token);
    expect(linked.user.uid).toBe(user.uid);
    expect(linked.user.providerData).toHaveLength(2);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
  });

  it('is not linked to a Google account whose address Google has not verified', async () => {
    const email = 'unproven@elsewhere.example';
    const { sessionToken } = await signUpWithPassword(email, 'Owner');
    const { outcome } = await signIn(email);
    expect(outcome.token).toBeUndefined();
    expect(outcome.error).toBeDefined();
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
  });
});

describe('an ID token from Google', () => {
  it('is valid only with the published key, audience and issuer, and before it expires', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const other = await generateKeyPair('RS256');
    const published = Fastify();
    published.get('/certs', async () => ({
      keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }],
    }));
    const origin = await published.listen({ host: '127.0.0.1', port: 0 });
    const verify = createIdTokenVerifier(
      {
        issuer: 'https://google.example',
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/certs`,
      },
      'shop',
    );
    const sign = (change: { issuer?: string; audience?: string; expires?: string; key?: CryptoKey } = {}) =>
      new SignJWT({ email: 'ann@gmail.example', email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setSubject('1')
        .setIssuedAt()
        .setIssuer(change.issuer ?? 'https://google.example')
        .setAudience(change.audience ?? 'shop')
        .setExpirationTime(change.expires ?? '1h')
        .sign(change.key ?? privateKey);
    try {
      expect(await verify(await sign())).toMatchObject({ sub: '1', email: 'ann@gmail.example' });
      await expect(verify(await sign({ issuer: 'https://evil.example' }))).rejects.toThrow();
      await expect(verify(await sign({ audience: 'another' }))).rejects.toThrow();
      await expect(verify(await sign({ expires: '-1h' }))).rejects.toThrow();
      await expect(verify(await sign({ key: other.privateKey }))).rejects.toThrow();
    } finally {
      await published.close();
    }
  });
});
