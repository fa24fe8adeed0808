import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installed, root } from './paths.ts';
import { runTests } from './test-runners.ts';

let project: string;

/** A project with one test that passes, one that never ends, and one that waits for it. */
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
  await writeFile(
    join(project, 'playwright.config.ts'),
    `export default { testDir: 'journeys', workers: 1, timeout: 0 };`,
  );
});

afterAll(() => rm(project, { recursive: true, force: true }));

const options = { filtered: false, silence: 10_000 };

test('a stuck test of vitest is named, the run is ended, and what did not run counts as failed', async () => {
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
}, 60_000);

test('a stuck journey of Playwright is named, the run is ended, and what did not run counts as failed', async () => {
  const reporter = join(root, 'scripts/progress-playwright.ts');
  const config = join(project, 'playwright.config.ts');
  const args = [installed('@playwright/test/cli.js'), 'test', `--config=${config}`, `--reporter=${reporter}`];
  const result = await runTests({ args }, options);
  expect(result).toMatchObject({ passed: 1, failed: 2, notRun: 2 });
  expect(result.report).toMatch(
    /Running: .*stuck\.spec\.ts › waits for ever \(for \d+ s\)\. The runner was ended\./,
  );
  expect(result.report).toMatch(/Planned and not executed to the end:\n.*waits for ever\n.*comes after it$/);
}, 60_000);
