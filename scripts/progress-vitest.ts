import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node';
import { root } from './paths.ts';
import { report } from './test-progress.ts';

const fileOf = (moduleId: string) => relative(root, moduleId);
const named = (test: TestCase) => ({
  id: test.id,
  name: `${fileOf(test.module.moduleId)} › ${test.fullName}`,
});

/** Writes the progress of vitest for `npm test`. */
export default class Progress implements Reporter {
  /** Tests that have begun: one of those that ends as skipped has skipped itself. */
  readonly #begun = new Set<string>();

  onTestRunStart = (specifications: readonly TestSpecification[]) => {
    report({ kind: 'files', files: specifications.map(({ moduleId }) => fileOf(moduleId)) });
  };

  onTestModuleQueued = ({ moduleId }: TestModule) => {
    report({ kind: 'file-started', file: fileOf(moduleId) });
  };

  onTestModuleCollected = (module: TestModule) => {
    const tests = [...module.children.allTests()].filter(({ options }) => isWanted(options.mode)).map(named);
    report({ kind: 'planned', file: fileOf(module.moduleId), tests });
  };

  onTestCaseReady = (test: TestCase) => {
    this.#begun.add(test.id);
    report({ kind: 'started', file: fileOf(test.module.moduleId), test: named(test) });
  };

  onTestCaseResult = (test: TestCase) => {
    const { state } = test.result();
    const isLeftOut = state === 'pending' || (state === 'skipped' && !this.#begun.has(test.id));
    const outcome = isLeftOut ? 'not-run' : state;
    report({ kind: 'ended', test: named(test), outcome });
  };

  onTestSuiteResult = (suite: TestSuite) => reportErrors(suite.fullName, suite.errors());

  onTestModuleEnd = (module: TestModule) => {
    const file = fileOf(module.moduleId);
    reportErrors(file, module.errors());
    report({ kind: 'file-ended', file });
  };

  onTestRunEnd = (_modules: readonly TestModule[], errors: readonly { message: string }[]) =>
    reportErrors('Outside of any test', errors);
}

const isWanted = (mode: TestCase['options']['mode']) => mode !== 'skip' && mode !== 'todo';

function reportErrors(where: string, errors: readonly { message: string }[]): void {
  for (const { message } of errors) report({ kind: 'error', message: `${where}: ${message}` });
}
