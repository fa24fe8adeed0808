// All there is to check, each step's time, and how many tests passed and failed over all of them.
import { join } from 'node:path';
import { root } from './paths.ts';
import { checks } from './test-checks.ts';
import { journeys, unitTests } from './test-runners.ts';
import { forwardSignals, interrupted, type Result, run } from './test-step.ts';

interface Step {
  name: string;
  work: () => Promise<Result>;
  /** A check, as opposed to a test runner. */
  isCheck: boolean;
}

/** Milliseconds between two lines that say that a check is still running. */
const NOTICE = 60_000;

const filters = process.argv.slice(2).filter((argument) => argument !== '--checks');
const checksOnly = process.argv.includes('--checks');

const pages: Step = {
  name: 'pages (production build)',
  isCheck: true,
  work: async () => {
    const built = await run(process.execPath, [join(root, 'scripts/bootstrap.js'), 'build'], { quiet: true });
    return { passed: built.code === 0 ? 1 : 0, failed: built.code === 0 ? 0 : 1, report: built.output };
  },
};

const steps: Step[] = [
  ...checks.map((check) => ({ ...check, isCheck: true })),
  ...(checksOnly
    ? []
    : [
        pages,
        { name: 'unit tests and calls (vitest)', isCheck: false, work: () => unitTests(filters) },
        { name: 'journeys (playwright)', isCheck: false, work: () => journeys(filters) },
      ]),
];

const say = (line: string) => process.stdout.write(`${line}\n`);

forwardSignals();
let passed = 0;
let failed = 0;
let executed = 0;
const lines: string[] = [];
for (const step of steps) {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  // A check prints nothing until it ends; a test runner is watched by its progress.
  const waiting =
    step.isCheck && setInterval(() => say(`${step.name}: still running after ${seconds()} s`), NOTICE);
  const result = await step.work().catch((error: unknown): Result => {
    return {
      passed: 0,
      failed: 1,
      report: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  });
  if (waiting) clearInterval(waiting);
  if (interrupted()) process.exit(130);
  passed += result.passed;
  failed += result.failed;
  executed += result.executed ?? 0;
  if (result.failed > 0 && result.report) say(result.report.trimEnd());
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const notRun = result.notRun ? `, of which ${result.notRun} did not run` : '';
  const line = `${step.name}: ${result.passed} passed, ${result.failed} failed${notRun}${skipped} (${seconds()} s)`;
  lines.push(line);
  say(line);
}
if (!checksOnly && executed === 0 && failed === 0) {
  failed += 1;
  lines.push(`No test is named like ${filters.join(' ')}.`);
}
say(`\n${lines.join('\n')}\n`);
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
