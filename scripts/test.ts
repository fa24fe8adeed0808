// All there is to check, each step's time, and how many tests passed and failed over all of them.
import { join } from 'node:path';
import { checks } from './test-checks.ts';
import { journeys, unitTests } from './test-runners.ts';
import { interrupted, type Result, root, run } from './test-step.ts';

interface Step {
  name: string;
  work: () => Promise<Result>;
}

const filters = process.argv.slice(2).filter((argument) => argument !== '--checks');
const checksOnly = process.argv.includes('--checks');

const pages: Step = {
  name: 'pages (production build)',
  work: async () => {
    const built = await run(process.execPath, [join(root, 'scripts/bootstrap.js'), 'build'], { quiet: true });
    return { passed: built.code === 0 ? 1 : 0, failed: built.code === 0 ? 0 : 1, report: built.output };
  },
};

const steps: Step[] = [
  ...checks,
  ...(checksOnly
    ? []
    : [
        pages,
        { name: 'unit tests and calls (vitest)', work: () => unitTests(filters) },
        { name: 'journeys (playwright)', work: () => journeys(filters) },
      ]),
];

const say = (line: string) => process.stdout.write(`${line}\n`);

let passed = 0;
let failed = 0;
let executed = 0;
const lines: string[] = [];
for (const step of steps) {
  const started = performance.now();
  const result = await step.work().catch((error: unknown): Result => {
    return {
      passed: 0,
      failed: 1,
      report: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  });
  if (interrupted()) process.exit(130);
  passed += result.passed;
  failed += result.failed;
  if (result.ranTests) executed += result.passed + result.failed;
  if (result.failed > 0 && result.report) say(result.report.trimEnd());
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const line = `${step.name}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds} s)`;
  lines.push(line);
  say(line);
}
if (!checksOnly && executed === 0) {
  failed += 1;
  lines.push(`No test is named like ${filters.join(' ')}.`);
}
say(`\n${lines.join('\n')}\n`);
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
