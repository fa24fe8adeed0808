import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, expect } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/people/inbox.ts';
import { createLoggingApp, PASSWORD, type RunningProvider, startProvider } from './provider.ts';

export const NONCE = 'nonce-of-the-page-that-opened';
export const PAGE = 'http://pages.example';
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

let google: Emulator;
export let provider: RunningProvider;
export let inbox: Inbox;
/** The log of {@link provider}. */
export let log: ReturnType<typeof createLoggingApp>;

const verifiedUser = (name: string) => ({ email: `${name}@gmail.example`, name, email_verified: true });

/** Starts Google's stand-in and a provider that uses it, for the tests of a file. @param findPorts returns the first of free consecutive ports */
export function setUpGoogle(findPorts: (count: number) => Promise<number>): void {
  beforeAll(async () => {
    const googlePort = await findPorts(2);
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
    log = createLoggingApp();
    inbox = await startInbox();
    provider = await startProvider(
      { google: { clientId: 'shop', clientSecret: 'secret', issuer }, mail: { smtpUrl: inbox.smtpUrl } },
      port,
      log.app,
    );
  });
  afterAll(async () => {
    await provider.stop();
    await google.close();
    await inbox.close();
  });
}

/** A browser window with a cookie jar. */
export function openWindow() {
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

export async function readMessage(answer: Response) {
  const [, json = ''] =
    /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(await answer.text()) ?? [];
  return PopupMessage.parse(JSON.parse(json));
}

/** Opens the popup. @returns the URL of Google's consent page */
export async function openPopup(browser = openWindow()) {
  const query = new URLSearchParams({ origin: PAGE, nonce: NONCE });
  const start = await browser.visit(`${provider.url}/popup/google?${query}`);
  expect(start.status).toBe(302);
  return { browser, consent: new URL(start.headers.get('location') ?? '') };
}

/** Chooses an account on Google's page. @returns the last page of the popup and its message */
export async function signIn(email: string) {
  const { browser, consent } = await openPopup();
  const chosen = await fetch(`${consent.origin}${consent.pathname}/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...Object.fromEntries(consent.searchParams), email }),
  });
  const end = await browser.visit(chosen.headers.get('location') ?? '');
  return { browser, end, outcome: await readMessage(end.clone()) };
}

export async function readProfile(sessionToken: string | undefined) {
  return TokenResponse.parse(
    await (await provider.call('GET', '/token', { token: sessionToken ?? '' })).json(),
  );
}

export async function signUpWithPassword(email: string, name: string) {
  const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name } });
  return z
    .object({ sessionToken: z.string(), user: z.object({ uid: z.string() }) })
    .parse(await answer.json());
}
