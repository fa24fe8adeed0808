import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { createEmulator, type Emulator } from 'emulate';
import Fastify, { type FastifyInstance } from 'fastify';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityPlugin } from '#identity/plugin.ts';
import { createDatabase, SERVICE_SECRET } from '#identity/testing/provider.ts';
import { findChromium } from '#tests/harness/platform/chromium.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';

let app: FastifyInstance;
let google: Emulator;
let browser: Browser;
let context: BrowserContext;
let origin: string;
let dropDatabase: () => Promise<void>;

/** Bundles the client into one script. */
async function bundleTestPage(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('test-page.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'page',
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error('The build has no output.');
  return chunk.code;
}

beforeAll(async () => {
  const port = await freePorts(2);
  const googlePort = port + 1;
  const issuer = `http://127.0.0.1:${googlePort}`;
  origin = `http://127.0.0.1:${port}`;
  google = await createEmulator({
    service: 'google',
    port: googlePort,
    baseUrl: issuer,
    seed: { google: { users: [{ email: 'gina@gmail.example', name: 'Gina', email_verified: true }] } },
  });
  const database = await createDatabase();
  dropDatabase = database.drop;
  app = Fastify();
  // The strictest headers with which the popup works: `same-origin` would cut it off from its opener.
  await app.register(helmet, {
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  await app.register(
    identityPlugin({
      databaseUrl: database.url,
      origin,
      trustedOrigins: [],
      secret: 'a secret for tests that is long enough',
      serviceSecret: SERVICE_SECRET,
      google: { clientId: 'shop', clientSecret: 'secret', issuer },
    }),
  );
  const script = await bundleTestPage();
  app.get('/page.js', (_request, reply) => reply.type('text/javascript').send(script));
  app.get('/', (_request, reply) =>
    reply
      .type('text/html')
      .send(`<!doctype html><title>Page</title><p id="user">unknown</p><p id="failure"></p>
        <button id="register">Register</button> <button id="google">Google</button>
        <button id="leave">Sign out</button><script type="module" src="/page.js"></script>`),
  );
  await app.listen({ host: '127.0.0.1', port });
  browser = await chromium.launch(await launchOptions());
});

async function launchOptions() {
  const { executablePath, args, env } = await findChromium();
  // Chromium refuses to run as root inside its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args: [...args, ...sandbox], ...(env === undefined ? {} : { env }) };
}

afterAll(async () => {
  await browser.close();
  await app.close();
  await google.close();
  await dropDatabase();
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await page.locator('#user:not(:text("unknown"))').waitFor();
  return page;
}
const waitForUser = (page: Page, text: string) => page.locator(`#user:text-is("${text}")`).waitFor();

describe('in a real browser', () => {
  it('stores a sign-in in IndexedDB and synchronizes sign-in and sign-out between tabs', async () => {
    const [firstTab, secondTab] = [await openPage(), await openPage()];
    await waitForUser(secondTab, 'nobody');
    await firstTab.click('#register');
    await waitForUser(firstTab, 'guest1@mail.example');
    await waitForUser(secondTab, 'guest1@mail.example');
    // Only the device token, which is not a credential.
    expect(await firstTab.evaluate(() => [Object.keys(localStorage), sessionStorage.length])).toEqual([
      ['coomercioDevice'],
      0,
    ]);
    expect(
      await firstTab.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
    ).toEqual(['coomercioIdentity']);
    await firstTab.reload();
    await waitForUser(firstTab, 'guest1@mail.example');
    await secondTab.click('#leave');
    await waitForUser(secondTab, 'nobody');
    await waitForUser(firstTab, 'nobody');
  });

  it('signs in with Google in a popup of 500 by 600 that closes and leaves no session cookie', async () => {
    const page = await openPage();
    const popupOpened = page.waitForEvent('popup');
    await page.click('#google');
    const popup = await popupOpened;
    await popup.waitForURL(/o\/oauth2\/v2\/auth/);
    expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 600]);
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'gina@gmail.example' }).click();
    await closed;
    await waitForUser(page, 'gina@gmail.example');
    const cookies = await context.cookies();
    expect(cookies.filter(({ name }) => name.includes('session'))).toEqual([]);
  });

  it('reports a closed popup', async () => {
    const page = await openPage();
    const popupOpened = page.waitForEvent('popup');
    await page.click('#google');
    await (await popupOpened).close();
    await page.locator('#failure:text-is("window_closed")').waitFor();
    await waitForUser(page, 'nobody');
  });

  it('refuses a page of another origin and reports the reason', async () => {
    const page = await context.newPage();
    await page.goto(origin.replace('127.0.0.1', 'localhost'));
    await page.locator('#user:text-is("nobody")').waitFor();
    await page.click('#google');
    await page.locator('#failure:text-is("unauthorized_domain")').waitFor();
  });
});
