import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// `npm run deploy:try`: what needs programs that npm does not install. These files are not among the tests of `npm test`.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['tests/deploy/*.try.ts'],
    globalSetup: ['tests/harness/platform/postgres-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    allowOnly: false,
    reporters: ['verbose'],
    expect: { poll: { timeout: 30_000 } },
  },
});
