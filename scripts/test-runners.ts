import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { installed, type Result, run } from './test-step.ts';

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), skipped: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** The tests beside the code and in tests/; `filters` are parts of file names. */
export function unitTests(filters: string[]): Promise<Result> {
  return withReport(filters, async (path) => {
    const args = [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${path}`,
      '--passWithNoTests',
    ];
    const env = { NODE_ENV: 'test' };
    const { code } = await run(process.execPath, [installed('vitest/vitest.mjs'), ...args, ...filters], {
      quiet: false,
      env,
    });
    const report = vitestReport.parse(JSON.parse(await readFile(path, 'utf8')));
    // A file that cannot be loaded has no tests to fail.
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    return {
      code,
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  });
}

/** The journeys in a real browser; `filters` are parts of file names. */
export function journeys(filters: string[]): Promise<Result> {
  return withReport(filters, async (path) => {
    const args = ['test', '--reporter=list,json', '--pass-with-no-tests'];
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: path };
    const program = installed('@playwright/test/cli.js');
    const { code } = await run(process.execPath, [program, ...args, ...filters], { quiet: false, env });
    const { stats, errors } = playwrightReport.parse(JSON.parse(await readFile(path, 'utf8')));
    return {
      code,
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    };
  });
}

async function withReport(
  filters: string[],
  runner: (path: string) => Promise<{ code: number | null; passed: number; failed: number; skipped: number }>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-report-'));
  try {
    const { code, ...counts } = await runner(join(folder, 'report.json'));
    const result = { ...counts, ranTests: true };
    // Errors outside any test, such as an unhandled rejection, show in the exit code alone.
    if (code !== 0 && counts.failed === 0)
      return { ...result, failed: 1, report: `The runner ended with ${code}.` };
    if (counts.passed + counts.failed === 0 && filters.length === 0) {
      return { ...result, failed: 1, report: 'The runner executed no test at all.' };
    }
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
