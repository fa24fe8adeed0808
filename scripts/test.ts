// Runs all checks and tests, one step after another, and ends with a summary that names each failure.
import { join } from 'node:path';
import { root } from './paths.ts';
import { forwardSignals, run, wasInterrupted } from './run-program.ts';
import { checks } from './test-checks.ts';
import { checkResult, type StepResult } from './test-result.ts';
import { journeys, unitTests } from './test-runners.ts';
import { type EndedStep, stepLine, summary } from './test-summary.ts';

interface Step {
  name: string;
  work: () => Promise<StepResult>;
  /** Whether it is a check, as opposed to a test runner. */
  isCheck: boolean;
}

/** Milliseconds between two lines that say that a check is still running. */
const NOTICE_INTERVAL = 60_000;

const filters = process.argv.slice(2).filter((argument) => argument !== '--checks');
const checksOnly = process.argv.includes('--checks');

async function buildPages(): Promise<StepResult> {
  const { code, output } = await run([join(root, 'scripts/bootstrap.js'), 'build'], { quiet: true });
  return checkResult(code === 0, output);
}

const testSteps: Step[] = [
  { name: 'pages (production build)', isCheck: true, work: buildPages },
  { name: 'unit tests and calls (vitest)', isCheck: false, work: () => unitTests(filters) },
  { name: 'journeys (playwright)', isCheck: false, work: () => journeys(filters) },
];
const steps = [...checks.map((check) => ({ ...check, isCheck: true })), ...(checksOnly ? [] : testSteps)];

const print = (line: string) => process.stdout.write(`${line}\n`);

async function runStep({ name, work, isCheck }: Step): Promise<EndedStep> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  // A check prints nothing until it ends; the watchdog reports on a test runner.
  const notices = setInterval(() => {
    if (isCheck) print(`${name}: still running after ${seconds().toFixed(1)} s`);
  }, NOTICE_INTERVAL);
  try {
    return { name, result: await work(), seconds: seconds() };
  } catch (error) {
    const report = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { name, result: { passed: 0, failed: 1, report }, seconds: seconds() };
  } finally {
    clearInterval(notices);
  }
}

forwardSignals();
const ended: EndedStep[] = [];
for (const step of steps) {
  const endedStep = await runStep(step);
  if (wasInterrupted()) process.exit(130);
  ended.push(endedStep);
  const { failed, report } = endedStep.result;
  if (failed > 0 && report) print(report.trimEnd());
  print(stepLine(endedStep));
}
const isEmpty = ended.every(({ result }) => (result.executed ?? 0) === 0 && result.failed === 0);
const noTests = !checksOnly && isEmpty ? `No test is named like ${filters.join(' ')}.` : null;
const { text, failed } = summary(ended, noTests);
print(`\n${text}`);
process.exitCode = failed === 0 ? 0 : 1;
