import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './tests/harness/temporary-folder.ts';

// The processes that run the tests inherit it.
process.env.TMPDIR = temporaryFolder();

// Separate from vite.config.ts: tests need none of its plugins and start faster without them.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: [
      '{contract,emails,server,identity,web,sandbox,packages,demo,bench,scripts,tests}/**/*.test.{ts,tsx}',
    ],
    globalSetup: ['tests/harness/postgres-setup.ts'],
    setupFiles: ['tests/harness/quick-password-hashes.ts'],
    pool: 'forks',
    // For two cores. Some tests only wait, for example until a killed worker's heartbeat is missing. With a third worker,
    // both cores are busy meanwhile, and the run takes a fifth less time.
    maxWorkers: 3,
    // Tests that store photos take several times as long on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    retry: 0,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
