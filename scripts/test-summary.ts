import { firstLine } from './test-progress.ts';
import type { StepResult } from './test-result.ts';

/** How many failures are listed: with one line for each step, all of them fit in the last 40 lines of a log. */
const MAXIMUM_LISTED = 25;

/** A step of `npm test` that has ended. */
export interface EndedStep {
  name: string;
  seconds: number;
  result: StepResult;
}

/** Returns one line with the counts of a step. */
export function stepLine({ name, seconds, result }: EndedStep): string {
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const notRun = result.notRun ? `, of which ${result.notRun} did not run` : '';
  return `${name}: ${result.passed} passed, ${result.failed} failed${notRun}${skipped} (${seconds.toFixed(1)} s)`;
}

/**
 * Returns the end of the output: one line for each step, each failure as `file › title: message`, and the counts over
 * all steps.
 * @param noTests a sentence if no test ran at all, which counts as one failure
 */
export function summary(
  steps: readonly EndedStep[],
  noTests: string | null,
): { text: string; failed: number } {
  const passed = total(steps, ({ result }) => result.passed);
  const failed = total(steps, ({ result }) => result.failed) + (noTests === null ? 0 : 1);
  const failures = [...steps.flatMap(failuresOf), ...(noTests === null ? [] : [noTests])];
  const more = failures.length - MAXIMUM_LISTED;
  const listed = [
    'Failed:',
    ...failures.slice(0, MAXIMUM_LISTED).map((failure) => `  ${failure}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ];
  const lines = [
    ...steps.map(stepLine),
    '',
    ...(failures.length > 0 ? listed : []),
    `${passed} passed, ${failed} failed`,
  ];
  return { text: lines.join('\n'), failed };
}

function failuresOf({ name, result: { failed, failures, report } }: EndedStep): readonly string[] {
  if (failed === 0) return [];
  return failures ?? [`${name}: ${firstLine(report ?? '')}`];
}

function total(steps: readonly EndedStep[], count: (step: EndedStep) => number): number {
  return steps.reduce((sum, step) => sum + count(step), 0);
}
