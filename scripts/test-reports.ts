import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** What a step of `npm test` found. */
export interface Outcome {
  passed: number;
  /** A line for each test that failed or did not run: `file › title: message`. */
  failures: string[];
  skipped: number;
}

/** The length of a message in the summary, in characters. */
const MESSAGE_LENGTH = 240;

/** Returns the first line of a message that has text, without colors, cut to the length of a summary. */
export function firstLine(message = ''): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const line = lines.map((each) => each.trim()).find((each) => each !== '') ?? 'no message';
  return line.length > MESSAGE_LENGTH ? `${line.slice(0, MESSAGE_LENGTH - 1)}…` : line;
}

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.optional(z.nullable(z.array(z.string()))),
        }),
      ),
    }),
  ),
});

/** Reads what vitest's `json` reporter wrote. @param root the folder from which files are named */
export function readVitestReport(report: unknown, root: string): Outcome {
  const outcome: Outcome = { passed: 0, failures: [], skipped: 0 };
  for (const file of VitestReport.parse(report).testResults) {
    const path = relative(root, file.name);
    const before = outcome.failures.length;
    for (const { fullName, status, failureMessages } of file.assertionResults) {
      if (status === 'passed') outcome.passed += 1;
      else if (status === 'failed')
        outcome.failures.push(`${path} › ${fullName}: ${firstLine(failureMessages?.[0])}`);
      else if (status === 'skipped' || status === 'todo' || status === 'disabled') outcome.skipped += 1;
      else outcome.failures.push(`${path} › ${fullName}: did not run to its end`);
    }
    // A file that cannot be loaded, or whose hooks fail, has no failed test.
    if (file.status === 'failed' && outcome.failures.length === before)
      outcome.failures.push(`${path}: ${firstLine(file.message || 'a hook failed')}`);
  }
  return outcome;
}

const MutationReport = z.object({ passed: z.int(), failures: z.array(z.string()) });

/** Reads what `npm run mutate` wrote: the files of which each change is noticed, and each change that is not. */
export function readMutationReport(report: unknown): Outcome {
  const { passed, failures } = MutationReport.parse(report);
  return { passed, failures: failures.map((failure) => firstLine(failure)), skipped: 0 };
}

const PlaywrightTest = z.object({
  expectedStatus: z.string(),
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(z.object({ error: z.optional(z.object({ message: z.optional(z.string()) })) })),
});
const PlaywrightSpec = z.object({ title: z.string(), file: z.string(), tests: z.array(PlaywrightTest) });
const PlaywrightSuite = z.object({
  title: z.string(),
  file: z.string(),
  specs: z.array(PlaywrightSpec),
  get suites() {
    return z.optional(z.array(PlaywrightSuite));
  },
});
const PlaywrightReport = z.object({
  suites: z.array(PlaywrightSuite),
  errors: z.array(z.object({ message: z.optional(z.string()) })),
});

/** Reads what Playwright's `json` reporter wrote. @param folder the folder from which the report names files */
export function readPlaywrightReport(report: unknown, folder: string): Outcome {
  const { suites, errors } = PlaywrightReport.parse(report);
  const outcome: Outcome = {
    passed: 0,
    failures: errors.map(({ message }) => firstLine(message)),
    skipped: 0,
  };
  const add = (
    { title, file, specs, suites: inner = [] }: z.infer<typeof PlaywrightSuite>,
    above: string[],
  ) => {
    const titles = title === file ? above : [...above, title];
    for (const spec of specs) {
      const name = [join(folder, file), ...titles, spec.title].join(' › ');
      for (const test of spec.tests) {
        if (test.status === 'expected') outcome.passed += 1;
        else if (test.status !== 'skipped')
          outcome.failures.push(`${name}: ${firstLine(test.results.at(-1)?.error?.message)}`);
        // Playwright skips the tests after a failure in a serial group.
        else if (test.expectedStatus === 'skipped') outcome.skipped += 1;
        else outcome.failures.push(`${name}: did not run`);
      }
    }
    for (const suite of inner) add(suite, titles);
  };
  for (const suite of suites) add(suite, []);
  return outcome;
}
