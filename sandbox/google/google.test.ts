import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type RunningProvider, startProvider } from '#identity/testing/provider.ts';
import { startGoogle } from './start.ts';

const PAGE = 'http://pages.example';
const Outcome = z.object({
  token: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string() })),
});
const Tokens = z.object({ id_token: z.string() });
const Signed = z.object({
  user: z.object({
    displayName: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    providerData: z.array(z.object({ providerId: z.string(), uid: z.string() })),
  }),
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-google-'));
});
afterEach(() => rm(folder, { recursive: true }));

const start = (origins: string[], port = 0) =>
  startGoogle({ port, dataFolder: folder, origins, clientId: 'shop', clientSecret: 'secret' });

/** Opens the account chooser and submits an account. @returns the URL of the redirect */
async function chooseAccount(consent: string, email: string): Promise<string> {
  const page = await fetch(consent);
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain(`<button name="email" value="${email}">`);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
  const fields = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const chosen = await fetch(new URL(action, consent), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams([
      ['email', email],
      ...fields.map(([, name = '', value = '']) => [name, value]),
    ]),
  });
  expect(chosen.status).toBe(302);
  return chosen.headers.get('location') ?? '';
}

async function signIn(provider: RunningProvider, email: string): Promise<z.infer<typeof Signed>['user']> {
  const query = new URLSearchParams({ origin: PAGE, nonce: 'nonce-of-the-page' });
  const opened = await fetch(`${provider.url}/popup/google?${query}`, { redirect: 'manual' });
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const back = await chooseAccount(opened.headers.get('location') ?? '', email);
  const end = await (await fetch(back, { redirect: 'manual', headers: { cookie } })).text();
  const [, json = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(end) ?? [];
  const { token = '', error } = Outcome.parse(JSON.parse(json));
  expect(error).toBeUndefined();
  return Signed.parse(await (await provider.call('GET', '/token', { token })).json()).user;
}

it('signs in at the identity provider, to the same account after a restart', async () => {
  const free = await startProvider();
  const port = Number(new URL(free.url).port);
  await free.stop();
  let google = await start([`http://127.0.0.1:${port}`]);
  const { issuer } = google;
  const provider = await startProvider(
    { google: { clientId: 'shop', clientSecret: 'secret', issuer } },
    port,
  );
  try {
    const gina = await signIn(provider, 'gina.google@example.com');
    expect(gina).toMatchObject({ displayName: 'Gina Google', emailVerified: true });
    expect(gina.providerData).toMatchObject([
      { providerId: 'google.com', uid: expect.stringMatching(/^\d{21}$/) },
    ]);

    await google.close();
    google = await start([`http://127.0.0.1:${port}`], Number(new URL(issuer).port));
    expect(google.issuer).toBe(issuer);
    // The identity provider has cached the key set, and Gina must keep her one account.
    expect((await signIn(provider, 'gina.google@example.com')).providerData).toEqual(gina.providerData);
    const buyer = await signIn(provider, 'buyer@coomercio.example');
    expect(buyer.providerData[0]?.uid).not.toBe(gina.providerData[0]?.uid);
  } finally {
    await provider.stop();
    await google.close();
  }
});

it('issues ID tokens that its published keys verify, only to the right client with its secret', async () => {
  const google = await start(['http://shop.example']);
  try {
    const redirectUri = 'http://shop.example/identity/callback/google';
    const query = { client_id: 'shop', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
    const consent = `${google.issuer}/o/oauth2/v2/auth?${new URLSearchParams(query)}`;
    const exchange = async (secret: string) => {
      const code =
        new URL(await chooseAccount(consent, 'gina.google@example.com')).searchParams.get('code') ?? '';
      return fetch(`${google.issuer}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          client_id: 'shop',
          client_secret: secret,
          redirect_uri: redirectUri,
        }),
      });
    };
    expect((await exchange('wrong')).status).toBe(401);
    const { id_token: idToken } = Tokens.parse(await (await exchange('secret')).json());
    const keys = createRemoteJWKSet(new URL(`${google.issuer}/oauth2/v3/certs`));
    const { payload } = await jwtVerify(idToken, keys, { issuer: google.issuer, audience: 'shop' });
    expect(payload).toMatchObject({ email: 'gina.google@example.com', email_verified: true });
    const published = z
      .object({ keys: z.array(z.record(z.string(), z.unknown())) })
      .parse(await (await fetch(`${google.issuer}/oauth2/v3/certs`)).json());
    expect(published.keys[0]).not.toHaveProperty('d');

    const elsewhere = new URLSearchParams({ ...query, redirect_uri: 'http://evil.example/callback' });
    expect((await fetch(`${google.issuer}/o/oauth2/v2/auth?${elsewhere}`)).status).toBe(400);
  } finally {
    await google.close();
  }
});

it('offers to cancel on a page that runs no script and links only to the shop', async () => {
  const google = await start(['http://shop.example']);
  try {
    const query = new URLSearchParams({
      client_id: 'shop',
      redirect_uri: 'http://shop.example/identity/callback/google',
      state: '"><script>alert(1)</script>',
    });
    const page = await fetch(`${google.issuer}/o/oauth2/v2/auth?${query}`);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' http://shop.example; base-uri 'none'; frame-ancestors 'none'",
    );
    const text = await page.text();
    expect(text).not.toContain('<script');
    expect(text).toContain(
      'href="http://shop.example/identity/callback/google?error=access_denied&amp;state=%22%3E',
    );
  } finally {
    await google.close();
  }
});

it('stores its signing key readable only by its owner', async () => {
  const google = await start([]);
  await google.close();
  expect((await stat(join(folder, 'signing-key.json'))).mode & 0o777).toBe(0o600);
});
