import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installed, root } from './paths.ts';
import { run } from './run-program.ts';
import { readPlaywrightReport, readVitestReport } from './test-reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-reports-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const report = join(folder, 'report.json');
const readReport = (): unknown => JSON.parse(readFileSync(report, 'utf8'));

test('of vitest: each test, files that cannot be loaded, and hooks that fail', { tags: 'long' }, async () => {
  writeFileSync(
    join(folder, 'some.test.js'),
    `import { describe, expect, test } from 'vitest';
    test('passes', () => {});
    test.skip('is skipped', () => {});
    describe('group', () => { test('fails', () => expect(1, 'one is not two').toBe(2)); });`,
  );
  writeFileSync(
    join(folder, 'hook.test.js'),
    `import { beforeAll, describe, test } from 'vitest';
    describe('hook', () => { beforeAll(() => { throw new Error('no hook'); }); test('never runs', () => {}); });`,
  );
  writeFileSync(join(folder, 'broken.test.js'), `throw new Error('cannot be loaded');`);
  const { code } = await run(
    [
      ...[installed('vitest/vitest.mjs'), 'run', '--root', folder],
      ...['--reporter=json', `--outputFile=${report}`],
    ],
    { quiet: true },
  );
  expect(code).toBe(1);
  const { passed, failures, skipped } = readVitestReport(readReport(), folder);
  expect({ passed, skipped }).toEqual({ passed: 1, skipped: 2 });
  expect(failures.toSorted()).toEqual([
    'broken.test.js: cannot be loaded',
    'hook.test.js: a hook failed',
    expect.stringContaining('some.test.js › group fails: AssertionError: one is not two'),
  ]);
});

test('of Playwright: each test, those that a failure left out, and files that cannot be loaded', {
  tags: 'long',
}, async () => {
  writeFileSync(
    join(folder, 'some.spec.js'),
    `import { expect, test } from '@playwright/test';
    test('passes', () => {});
    test.skip('is skipped', () => {});
    test.describe('group', () => {
      test.describe.configure({ mode: 'serial' });
      test('fails', () => expect(1, 'one is not two').toBe(2));
      test('is left out', () => {});
    });`,
  );
  writeFileSync(join(folder, 'playwright.config.js'), 'export default { testMatch: /some.spec.js/ };');
  const { code } = await run(
    [installed('@playwright/test/cli.js'), 'test', '--config', folder, '--reporter=json'],
    { quiet: true, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  );
  expect(code).toBe(1);
  expect(readPlaywrightReport(readReport(), 'tests')).toEqual({
    passed: 1,
    skipped: 1,
    failures: [
      expect.stringMatching(/^tests\/some\.spec\.js › group › fails: Error: one is not two/),
      'tests/some.spec.js › group › is left out: did not run',
    ],
  });
});
