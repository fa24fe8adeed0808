import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { freeShopPort } from './tests/harness/operations/shop-ports.ts';
import { findChromium } from './tests/harness/platform/chromium.ts';
import { temporaryFolder } from './tests/harness/platform/temporary-folder.ts';

// Each worker loads this file again, and reads the port and the folder that the first process put in the environment.
if (process.env.JOURNEY_PORT === undefined) {
  // The journeys use the stand-ins, even if the environment configures real providers.
  for (const name of Object.keys(process.env)) {
    if (
      /^(STRIPE|GOOGLE|IDENTITY|IMAGE_HOST|S3|SMTP|SMS|MAIL|EASYPOST)_|^(DATABASE_URL|PUBLIC_ORIGIN|HOST|DEMO|SANDBOX|NODE_ENV|COOMERCIO_SECRET|COOMERCIO_SECRET_PREVIOUS|BREACHED_PASSWORDS_URL|LOG_LEVEL|TRUST_PROXY)$/.test(
        name,
      )
    ) {
      delete process.env[name];
    }
  }
  process.env.TMPDIR = temporaryFolder();
  const folder = mkdtempSync(join(tmpdir(), 'coomercio-journeys-'));
  // As root, PostgreSQL runs as another user, which needs access.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.JOURNEY_DATA = folder;
  process.env.JOURNEY_PORT = String(await freeShopPort());
}

const port = Number(process.env.JOURNEY_PORT);
const origin = `http://localhost:${port}`;

export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/journeys/global-setup.ts',
  outputDir: 'test-results/journeys',
  // All journeys share one shop and two cores.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Enough for a slow machine. A slow journey gets three times as much.
  timeout: 110_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: origin,
    launchOptions: await findChromium(),
    viewport: { width: 1280, height: 800 },
    // Animations and the home page's video take processor time. Tests that need them say so.
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // A trace takes a fifth of the time, and on long pages most of it. `npx playwright test --trace on` records one.
    trace: 'off',
  },
  webServer: {
    // The command of `npm start`: the production build, the embedded database, the stand-ins.
    command: 'exec node scripts/bootstrap.js start',
    // Printed when the demo data are complete; the server responds earlier.
    wait: { stdout: /Coomercio is open at/ },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(port + 1),
      COOMERCIO_DATA: join(process.env.JOURNEY_DATA ?? '', 'data'),
      // tests/journeys/amounts.ts reads it as well.
      DEMO_CURRENCY: process.env.JOURNEYS_CURRENCY ?? 'USD',
      // All people of the journeys come from one address. The limits have tests of their own.
      RATE_LIMITS: '0',
      NODE_OPTIONS: `--import=${new URL('tests/harness/use-quick-hashes.js', import.meta.url).href}`,
    },
    // Enough for a slow machine.
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
