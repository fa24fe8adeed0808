import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig } from 'vitest/config';
import { findChromium } from './tests/harness/platform/chromium.ts';
import { temporaryFolder } from './tests/harness/platform/temporary-folder.ts';

// The processes that run the tests inherit it.
process.env.TMPDIR = temporaryFolder();

const include = [
  '{contract,emails,rate-limits,server,identity,web,sandbox,packages,demo,bench,scripts,tests}/**/*.test.{ts,tsx}',
];

/** Tests of components in a browser, with the styles and without a shop. */
const inBrowser = 'web/**/*.browser.test.tsx';

/**
 * Files that fill a large database, kill processes, measure times or wait for clocks. `npm run test:all` runs them and the tests
 * with the tag `long`, before a release, and so does `npm test` with a part of their name. Above each stands what proves the same
 * in `npm test`, if something does.
 */
const long = [
  'tests/faults/*-after-kill.test.ts',
  'tests/scale/*.test.ts',
  'tests/operations/{periodic-backups,processes,rolling-restart,search-flood}.test.ts',
  'tests/races/{killed-worker,two-hundred-buyers}.test.ts',
  // The journeys fill and start a shop with all demo data; `tests/operations/shutdown.test.ts` ends one.
  'demo/fill.test.ts',
  'tests/commands/start.test.ts',
  // Compare the times of responses. The same inputs, but smaller: bad-input.test.ts and fuzz.test.ts.
  'tests/calls/worst-case-input.test.ts',
  'tests/regular-expressions.test.ts',
  // Many rows. Few of them: the other tests of their folder.
  'server/operations/backup/many-entries.test.ts',
  'server/listings/saved-searches/many-searches.test.ts',
  // The database of each run, and that of the journeys' shop, are such ones.
  'server/platform/database/embedded/start.test.ts',
  // The journeys use the stand-ins, and are started like this.
  'sandbox/start.test.ts',
  'scripts/bootstrap.test.ts',
  // What `npm run package` packs.
  'scripts/package-contents.test.ts',
];

/**
 * Files that replace modules for themselves or the clock, also by `setUpClients`, that measure the memory of their process, that
 * stub IndexedDB, whose open database a module keeps, or that import the codec of photos, which forbids all other formats in its
 * process. The shop of their worker would run on such a clock, and spend 7 s of processor time in three of its hours.
 */
const isolated = globSync(include, { cwd: import.meta.dirname, exclude: [inBrowser] }).filter((file) =>
  /\bvi\.(un|do|doUn)?mock\(|\buseFakeTimers\b|\bsetUpClients\(|\bmemoryUsage\b|'indexedDB'|'\.\/codec\.ts'/i.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  ),
);

/** Of all projects. */
const common = {
  // Time limits only end what hangs: no test depends on the speed of the machine.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
} as const;

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
          exclude: [...configDefaults.exclude, inBrowser, ...isolated, ...long],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: isolated, exclude: [...configDefaults.exclude, ...long] },
      },
      { extends: true, test: { name: 'long', include: long } },
      {
        extends: false,
        plugins: [tailwindcss()],
        test: {
          ...common,
          name: 'browser',
          include: [inBrowser],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              // Without one only these tests fail, and Playwright says what it looked for.
              launchOptions: await findChromium().catch(() => ({})),
              // Animations take processor time.
              contextOptions: { reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
            viewport: { width: 1280, height: 800 },
            screenshotFailures: false,
          },
        },
      },
    ],
    tags: [{ name: 'long', description: 'Left out by npm test, like the files of the project long.' }],
    globalSetup: ['tests/harness/platform/postgres-setup.ts'],
    setupFiles: ['tests/harness/people/quick-password-hashes.ts', 'tests/harness/platform/property-seeds.ts'],
    pool: 'forks',
    // For two cores. Tests wait for two fifths of their time, for the database and for the ends of jobs: with four workers both cores
    // are busy meanwhile.
    maxWorkers: 4,
    ...common,
    teardownTimeout: 30_000,
    retry: 0,
    allowOnly: false,
  },
});
