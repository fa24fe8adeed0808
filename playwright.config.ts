import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from './tests/harness/chromium.ts';
import { freePorts } from './tests/harness/ports.ts';

// Each worker reads this file again; what the first reader chose stands in the environment for the others.
if (process.env.JOURNEY_PORT === undefined) {
  // The journeys run on stand-ins, whatever real provider the caller's shell is set up for.
  for (const name of Object.keys(process.env)) {
    if (
      /^(STRIPE|GOOGLE|IDENTITY|IMAGE_HOST|S3|SMTP|MAIL)_|^(DATABASE_URL|PUBLIC_ORIGIN|HOST|DEMO|SANDBOX|NODE_ENV|COOMERCIO_SECRET|COOMERCIO_SECRET_PREVIOUS|ADMIN_2FA|BREACHED_PASSWORDS_URL|LOG_LEVEL|TRUST_PROXY)$/.test(
        name,
      )
    ) {
      delete process.env[name];
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'coomercio-journeys-'));
  // The user to whom root lends PostgreSQL has to get in.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.JOURNEY_DATA = folder;
  process.env.JOURNEY_PORT = String(await freePorts(5));
}

const port = Number(process.env.JOURNEY_PORT);
const origin = `http://localhost:${port}`;

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results/journeys',
  // All journeys share one shop and two cores.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A slow machine takes several times as long as a quick one. Three times this, for slow journeys, is below the silence
  // after which `npm test` calls a run stuck.
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: origin,
    launchOptions: await findChromium(),
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Without the trace's screencast, which costs processor time: the screenshot above shows how a failed page looked.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
  webServer: {
    // The very command of `npm start`: the production build, the embedded database, the stand-ins.
    command: 'exec node scripts/bootstrap.js start',
    // Printed when the demo data are in; the pages answer before.
    wait: { stdout: /Coomercio is open at/ },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(port + 1),
      COOMERCIO_DATA: join(process.env.JOURNEY_DATA ?? '', 'data'),
    },
    // As long as a slow machine needs; below the six minutes after which `npm test` calls a run stuck.
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
