import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { root } from './paths.ts';
import { writeEvent } from './test-progress.ts';

const fileOf = (test: TestCase) => relative(root, test.location.file);
const toTest = (test: TestCase) => ({
  id: test.id,
  // The first three titles are the root, the project and the file.
  name: [fileOf(test), ...test.titlePath().slice(3)].join(' › '),
});

/** Reports the progress of Playwright to `npm test`. */
export default class ProgressReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    const byFile = Map.groupBy(suite.allTests(), fileOf);
    writeEvent({ kind: 'files', files: [...byFile.keys()] });
    for (const [file, tests] of byFile) writeEvent({ kind: 'planned', file, tests: tests.map(toTest) });
  }

  onTestBegin(test: TestCase): void {
    writeEvent({ kind: 'started', file: fileOf(test), test: toTest(test) });
  }

  onTestEnd(test: TestCase, { status, error }: TestResult): void {
    const message = error?.message;
    writeEvent({
      kind: 'ended',
      test: toTest(test),
      outcome: outcomeOf(test, status),
      ...(message !== undefined && { message }),
    });
  }

  onError({ message = 'An error without a message', stack }: TestError): void {
    writeEvent({ kind: 'error', message: `Outside of any test: ${stack ?? message}` });
  }

  printsToStdio(): boolean {
    return false;
  }
}

function outcomeOf(test: TestCase, status: TestResult['status']) {
  if (status === 'interrupted') return 'not-run';
  // Playwright skips the tests after a failure in a serial group.
  if (status === 'skipped') return test.expectedStatus === 'skipped' ? 'skipped' : 'not-run';
  return status === test.expectedStatus ? 'passed' : 'failed';
}
