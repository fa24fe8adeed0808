import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installed, root } from './paths.ts';
import { runTests } from './test-runners.ts';

let project: string;

/** Projects with a test that passes, one that never ends and one after it, and with failures of each kind. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'coomercio-stuck-'));
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
  await mkdir(join(project, 'units'));
  await mkdir(join(project, 'journeys'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(
    join(project, 'units/stuck.test.ts'),
    `import { test } from 'vitest';
    test('passes', () => {});
    test('blocks its process', async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (;;);
    });
    test('comes after it', () => {});`,
  );
  await writeFile(
    join(project, 'journeys/stuck.spec.ts'),
    `import { test } from '@playwright/test';
    test('passes', () => {});
    test('waits for ever', () => new Promise(() => {}));
    test('comes after it', () => {});`,
  );
  await mkdir(join(project, 'failing'));
  await writeFile(
    join(project, 'failing/failing.test.ts'),
    `import { beforeAll, describe, expect, test } from 'vitest';
    test('compares', () => expect(1).toBe(2));
    describe('a group', () => {
      beforeAll(() => { throw new Error('no database'); });
      test('is skipped', () => {});
    });
    test('leaves a rejection behind', () => { Promise.reject(new Error('nobody waits')); });`,
  );
  await writeFile(join(project, 'failing/broken.test.ts'), `throw new Error('cannot be loaded');`);
  await writeFile(
    join(project, 'playwright.config.ts'),
    `export default { testDir: 'journeys', workers: 1, timeout: 0 };`,
  );
});

afterAll(() => rm(project, { recursive: true, force: true }));

const options = { filtered: false, silence: 20_000 };

test('names a stuck test of vitest, ends the run and counts tests that did not run as failed', async () => {
  const reporter = join(root, 'scripts/progress-vitest.ts');
  const args = [
    installed('vitest/vitest.mjs'),
    'run',
    '--root',
    join(project, 'units'),
    `--reporter=${reporter}`,
  ];
  const result = await runTests({ args, env: { NODE_ENV: 'test' } }, options);
  expect(result).toMatchObject({ passed: 1, failed: 2, notRun: 2 });
  expect(result.report).toMatch(
    /Running: .*stuck\.test\.ts › blocks its process \(for \d+ s\)\. The runner was ended\./,
  );
  expect(result.report).toMatch(
    /Planned and not executed to the end:\n.*blocks its process\n.*comes after it$/,
  );
});

test('names a stuck test of Playwright, ends the run and counts tests that did not run as failed', async () => {
  const reporter = join(root, 'scripts/progress-playwright.ts');
  const config = join(project, 'playwright.config.ts');
  const args = [installed('@playwright/test/cli.js'), 'test', `--config=${config}`, `--reporter=${reporter}`];
  const result = await runTests({ args }, options);
  expect(result).toMatchObject({ passed: 1, failed: 2, notRun: 2 });
  expect(result.report).toMatch(
    /Running: .*stuck\.spec\.ts › waits for ever \(for \d+ s\)\. The runner was ended\./,
  );
  expect(result.report).toMatch(/Planned and not executed to the end:\n.*waits for ever\n.*comes after it$/);
});

test('names each failed test and each error outside of a test with its message', async () => {
  const reporter = join(root, 'scripts/progress-vitest.ts');
  const folder = join(project, 'failing');
  const args = [installed('vitest/vitest.mjs'), 'run', '--root', folder, `--reporter=${reporter}`];
  const { failures = [], failed } = await runTests({ args, env: { NODE_ENV: 'test' } }, options);
  const withoutFolder = failures.map((failure) => failure.replace(/^\S*\/failing\//, '')).sort();
  expect(withoutFolder).toEqual([
    'Outside of any test: nobody waits',
    'broken.test.ts: cannot be loaded',
    'failing.test.ts › a group > is skipped: did not run to its end',
    'failing.test.ts › a group: no database',
    'failing.test.ts › compares: expected 1 to be 2 // Object.is equality',
  ]);
  expect(failed).toBe(5);
});
