import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { createEmulator, type Emulator } from 'emulate';
import Fastify, { type FastifyInstance } from 'fastify';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityPlugin } from '#identity/plugin.ts';
import { createDatabase, SERVICE_SECRET } from '#identity/testing/provider.ts';
import { findChromium } from '#tests/harness/chromium.ts';

let app: FastifyInstance;
let google: Emulator;
let browser: Browser;
let context: BrowserContext;
let origin: string;
let dropDatabase: () => Promise<void>;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** The client as one script, the way a page gets it. */
async function bundle(): Promise<string> {
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
  if (chunk === undefined) throw new Error('Nothing was built.');
  return chunk.code;
}

beforeAll(async () => {
  const [port, googlePort] = [await freePort(), await freePort()];
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
  // As strict as a shop around the provider may be: any stricter opener policy ends popups on purpose.
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
  const script = await bundle();
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
}, 60_000);

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

async function visit(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await page.locator('#user:not(:text("unknown"))').waitFor();
  return page;
}
const shows = (page: Page, text: string) => page.locator(`#user:text-is("${text}")`).waitFor();

describe('in a real browser', () => {
  it('a sign-in is kept in IndexedDB, reaches the other tab, and a sign-out too', async () => {
    const [here, there] = [await visit(), await visit()];
    await shows(there, 'nobody');
    await here.click('#register');
    await shows(here, 'guest1@mail.example');
    await shows(there, 'guest1@mail.example');
    // The device token is no sign-in.
    expect(await here.evaluate(() => [Object.keys(localStorage), sessionStorage.length])).toEqual([
      ['coomercioDevice'],
      0,
    ]);
    expect(await here.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([
      'coomercioIdentity',
    ]);
    await here.reload();
    await shows(here, 'guest1@mail.example');
    await there.click('#leave');
    await shows(there, 'nobody');
    await shows(here, 'nobody');
  });

  it('Google signs in by a popup of 500 by 600 that closes itself and leaves no session cookie', async () => {
    const page = await visit();
    const opening = page.waitForEvent('popup');
    await page.click('#google');
    const popup = await opening;
    await popup.waitForURL(/o\/oauth2\/v2\/auth/);
    expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 600]);
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'gina@gmail.example' }).click();
    await closed;
    await shows(page, 'gina@gmail.example');
    const cookies = await context.cookies();
    expect(cookies.filter(({ name }) => name.includes('session'))).toEqual([]);
  });

  it('closing the popup is told as such', async () => {
    const page = await visit();
    const opening = page.waitForEvent('popup');
    await page.click('#google');
    await (await opening).close();
    await page.locator('#failure:text-is("auth/popup-closed-by-user")').waitFor();
    await shows(page, 'nobody');
  });

  it('a page of another origin is refused in the popup, and told why', async () => {
    const page = await context.newPage();
    await page.goto(origin.replace('127.0.0.1', 'localhost'));
    await page.locator('#user:text-is("nobody")').waitFor();
    await page.click('#google');
    await page.locator('#failure:text-is("auth/unauthorized-domain")').waitFor();
  });
});
