import { defineConfig } from 'vitest/config';

// Beside vite.config.ts, which serves the pages: tests need none of its plugins and start faster without them.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: [
      '{contract,emails,server,identity,web,sandbox,packages,demo,bench,scripts,tests}/**/*.test.{ts,tsx}',
    ],
    globalSetup: ['tests/harness/postgres-setup.ts'],
    setupFiles: ['tests/harness/quick-password-hashes.ts'],
    pool: 'forks',
    // Two cores are what the tests may count on. Some tests only wait, for a killed worker's heart to be missed: with a
    // third worker both cores have work meanwhile, and the run takes a fifth less.
    maxWorkers: 3,
    // A machine that does other things at the same time takes several times as long for tests that store photos.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    retry: 0,
    // What is waited for comes at once on a quiet machine, and on a busy one a little later than the second of default.
    expect: { poll: { timeout: 10_000 } },
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
