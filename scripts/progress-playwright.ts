import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { root } from './paths.ts';
import { report } from './test-progress.ts';

const fileOf = (test: TestCase) => relative(root, test.location.file);
const named = (test: TestCase) => ({
  id: test.id,
  // Without the root, the project and the file, which come first.
  name: [fileOf(test), ...test.titlePath().slice(3)].join(' › '),
});

/** Writes the progress of Playwright for `npm test`. */
export default class Progress implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    const byFile = Map.groupBy(suite.allTests(), fileOf);
    report({ kind: 'files', files: [...byFile.keys()] });
    for (const [file, tests] of byFile) report({ kind: 'planned', file, tests: tests.map(named) });
  }

  onTestBegin(test: TestCase): void {
    report({ kind: 'started', file: fileOf(test), test: named(test) });
  }

  onTestEnd(test: TestCase, { status }: TestResult): void {
    report({ kind: 'ended', test: named(test), outcome: outcomeOf(test, status) });
  }

  onError({ message = 'An error without a message', stack }: TestError): void {
    report({ kind: 'error', message: stack ?? message });
  }

  printsToStdio(): boolean {
    return false;
  }
}

function outcomeOf(test: TestCase, status: TestResult['status']) {
  if (status === 'interrupted') return 'not-run';
  // Whatever was to run and was skipped after all had a failure before it.
  if (status === 'skipped') return test.expectedStatus === 'skipped' ? 'skipped' : 'not-run';
  return status === test.expectedStatus ? 'passed' : 'failed';
}
