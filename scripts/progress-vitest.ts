import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node';
import { root } from './paths.ts';
import { writeEvent } from './test-progress.ts';

const fileOf = (moduleId: string) => relative(root, moduleId);
const toTest = (test: TestCase) => ({
  id: test.id,
  name: `${fileOf(test.module.moduleId)} › ${test.fullName}`,
});

/** Reports the progress of vitest to `npm test`. */
export default class ProgressReporter implements Reporter {
  /** Ids of started tests. A started test that ends as skipped has skipped itself. */
  readonly #started = new Set<string>();

  onTestRunStart = (specifications: readonly TestSpecification[]) => {
    writeEvent({ kind: 'files', files: specifications.map(({ moduleId }) => fileOf(moduleId)) });
  };

  onTestModuleQueued = ({ moduleId }: TestModule) => {
    writeEvent({ kind: 'file-started', file: fileOf(moduleId) });
  };

  onTestModuleCollected = (module: TestModule) => {
    const tests = [...module.children.allTests()]
      .filter(({ options }) => isPlanned(options.mode))
      .map(toTest);
    writeEvent({ kind: 'planned', file: fileOf(module.moduleId), tests });
  };

  onTestCaseReady = (test: TestCase) => {
    this.#started.add(test.id);
    writeEvent({ kind: 'started', file: fileOf(test.module.moduleId), test: toTest(test) });
  };

  onTestCaseResult = (test: TestCase) => {
    const { state, errors } = test.result();
    const isLeftOut = state === 'pending' || (state === 'skipped' && !this.#started.has(test.id));
    const outcome = isLeftOut ? 'not-run' : state;
    const message = errors?.[0]?.message;
    writeEvent({ kind: 'ended', test: toTest(test), outcome, ...(message !== undefined && { message }) });
  };

  onTestSuiteResult = (suite: TestSuite) =>
    writeErrors(`${fileOf(suite.module.moduleId)} › ${suite.fullName}`, suite.errors());

  onTestModuleEnd = (module: TestModule) => {
    const file = fileOf(module.moduleId);
    writeErrors(file, module.errors());
    writeEvent({ kind: 'file-ended', file });
  };

  onTestRunEnd = (_modules: readonly TestModule[], errors: readonly { message: string }[]) =>
    writeErrors('Outside of any test', errors);
}

const isPlanned = (mode: TestCase['options']['mode']) => mode !== 'skip' && mode !== 'todo';

function writeErrors(source: string, errors: readonly { message: string }[]): void {
  for (const { message } of errors) writeEvent({ kind: 'error', message: `${source}: ${message}` });
}
