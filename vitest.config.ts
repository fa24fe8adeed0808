import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { temporaryFolder } from './tests/harness/platform/temporary-folder.ts';

// The processes that run the tests inherit it.
process.env.TMPDIR = temporaryFolder();

const include = [
  '{contract,emails,rate-limits,server,identity,web,sandbox,packages,demo,bench,scripts,tests}/**/*.test.{ts,tsx}',
];

/**
 * Files that fill a large database, kill processes or wait for clocks. `npm run test:all` runs them, before a release, and
 * `npm test` with a part of their name.
 */
const long = [
  'tests/faults/*-after-kill.test.ts',
  'tests/scale/*.test.ts',
  'tests/operations/{periodic-backups,processes,rolling-restart,search-flood}.test.ts',
  'tests/races/two-hundred-buyers.test.ts',
];

/**
 * Files that replace modules for themselves, that measure the memory of their process, that stub IndexedDB, whose open database a
 * module keeps, or that import the codec of photos, which forbids all other formats in its process.
 */
const isolated = globSync(include, { cwd: import.meta.dirname }).filter((file) =>
  /\bvi\.(un|do|doUn)?mock\(|\bmemoryUsage\b|'indexedDB'|'\.\/codec\.ts'/i.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  ),
);

// Separate from vite.config.ts: tests need none of its plugins and start faster without them.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    projects: [
      // A process runs one file after the other and keeps the loaded modules. With a process for each file, loading them
      // took two fifths of the tests' processor time.
      {
        extends: true,
        test: {
          name: 'shared',
          include,
          exclude: [...configDefaults.exclude, ...isolated, ...long],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      { extends: true, test: { name: 'long', include: long } },
    ],
    globalSetup: ['tests/harness/platform/postgres-setup.ts'],
    setupFiles: ['tests/harness/people/quick-password-hashes.ts', 'tests/harness/platform/property-seeds.ts'],
    pool: 'forks',
    // For two cores. Some tests only wait, for example until a killed worker's heartbeat is missing. With a third worker,
    // both cores are busy meanwhile, and the run takes a fifth less time.
    maxWorkers: 3,
    // Time limits only end what hangs: no test depends on the speed of the machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    retry: 0,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
