import { appendFileSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { StepResult } from './test-result.ts';

const test = z.object({ id: z.string(), name: z.string() });

const ProgressEvent = z.discriminatedUnion('kind', [
  /** The files that the runner is about to load, before it knows their tests. */
  z.object({ kind: z.literal('files'), files: z.array(z.string()) }),
  z.object({ kind: z.literal('file-started'), file: z.string() }),
  z.object({ kind: z.literal('file-ended'), file: z.string() }),
  /** The tests of a file. Sent once for each file. */
  z.object({ kind: z.literal('planned'), file: z.string(), tests: z.array(test) }),
  z.object({ kind: z.literal('started'), file: z.string(), test }),
  /** The end of a test, or of one attempt if the runner retries. */
  z.object({
    kind: z.literal('ended'),
    test,
    /** `not-run`: the runner left it out because something else had failed. */
    outcome: z.enum(['passed', 'failed', 'skipped', 'not-run']),
    /** The first error of a failed test. */
    message: z.optional(z.string()),
  }),
  /** A failure outside of any test, such as an unhandled rejection or a file that cannot be loaded. */
  z.object({ kind: z.literal('error'), message: z.string() }),
]);
/** One event of a test runner, as its reporter writes it. */
export type ProgressEvent = z.infer<typeof ProgressEvent>;

/** The environment variable that names the file of events. */
export const PROGRESS_FILE = 'COOMERCIO_TEST_PROGRESS';

/** Appends an event to the file that {@link PROGRESS_FILE} names. Synchronous, because the process may be killed. */
export function writeEvent(event: ProgressEvent): void {
  const file = process.env[PROGRESS_FILE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** Reads the events that a runner has written so far, without an incomplete last line. */
export function readEvents(file: string): ProgressEvent[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => ProgressEvent.parse(JSON.parse(line)));
}

/** A running test, or a file in which no test runs yet. */
export interface RunningTest {
  name: string;
  /** The index of its start among the events. */
  since: number;
}

/** Returns the tests and files that have started and not ended, oldest first. */
export function runningTests(events: readonly ProgressEvent[]): RunningTest[] {
  const tests = new Map<string, RunningTest & { file: string }>();
  const files = new Map<string, RunningTest>();
  for (const [since, event] of events.entries()) {
    if (event.kind === 'started') {
      tests.set(event.test.id, { name: event.test.name, since, file: event.file });
    } else if (event.kind === 'ended') tests.delete(event.test.id);
    else if (event.kind === 'file-started') files.set(event.file, { name: event.file, since });
    else if (event.kind === 'file-ended') files.delete(event.file);
  }
  for (const { file } of tests.values()) files.delete(file);
  return [...tests.values(), ...files.values()]
    .map(({ name, since }) => ({ name, since }))
    .sort((one, other) => one.since - other.since);
}

/** How a test runner ended. */
export interface RunnerExit {
  /** Its exit code; null if a signal ended it. */
  code: number | null;
  /** The watchdog's reason for ending it; null if it ended by itself. */
  stuck: string | null;
  /** Whether only some files were requested, which may be none. */
  filtered: boolean;
}

/** How many tests that did not run are listed by name. */
const MAXIMUM_LISTED = 20;

/** The length of a message in the summary, in characters. */
const SUMMARY_LENGTH = 240;

/** Returns the first line of a message that has text, without colors, cut to the length of a summary. */
export function firstLine(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const line = lines.map((each) => each.trim()).find((each) => each !== '') ?? 'no message';
  return line.length > SUMMARY_LENGTH ? `${line.slice(0, SUMMARY_LENGTH - 1)}…` : line;
}

/**
 * Compares the planned tests with the executed ones. A planned test that did not end counts as failed, as does a file
 * whose tests the runner never reported. Of several attempts at a test, the last one counts.
 */
export function toStepResult(
  events: readonly ProgressEvent[],
  { code, stuck, filtered }: RunnerExit,
): StepResult {
  const planned = events.filter((event) => event.kind === 'planned');
  const ended = new Map(
    events
      .filter((event) => event.kind === 'ended')
      .filter(({ outcome }) => outcome !== 'not-run')
      .map((event) => [event.test.id, event]),
  );
  const errors = events.filter((event) => event.kind === 'error').map(({ message }) => message);
  const loaded = new Set(planned.map(({ file }) => file));
  const files = new Set(events.flatMap((event) => (event.kind === 'files' ? event.files : [])));
  const names = new Map(planned.flatMap(({ tests }) => tests.map(({ id, name }) => [id, name])));
  const withOutcome = (outcome: string) => [...ended.values()].filter((event) => event.outcome === outcome);
  const passed = withOutcome('passed').length;
  const failedTests = withOutcome('failed');
  const notRun = [
    ...[...names].filter(([id]) => !ended.has(id)).map(([, name]) => name),
    ...[...files].filter((file) => !loaded.has(file)).map((file) => `${file} (the whole file)`),
  ];
  const lines = [...errors];
  const failures = [
    ...failedTests.map(({ test: { name }, message }) => `${name}: ${firstLine(message ?? '')}`),
    ...errors.map(firstLine),
    ...notRun.map((name) => `${name}: did not run to its end`),
  ];
  if (stuck !== null) {
    lines.push(stuck);
    failures.unshift(stuck);
  }
  if (notRun.length > 0) {
    const more = notRun.length > MAXIMUM_LISTED ? [`  and ${notRun.length - MAXIMUM_LISTED} more`] : [];
    lines.push(
      'Planned and not executed to the end:',
      ...notRun.slice(0, MAXIMUM_LISTED).map((name) => `  ${name}`),
      ...more,
    );
  }
  let failed = failedTests.length + errors.length + notRun.length;
  const fail = (reason: string) => {
    failed = 1;
    lines.push(reason);
    failures.push(reason);
  };
  // A failure that no event reports, such as a crash of the runner itself.
  if (failed === 0 && code !== 0) {
    fail(`The runner ended with ${code === null ? 'a signal' : `code ${code}`}.`);
  }
  if (passed + failed === 0 && !filtered) fail('The runner executed no test at all.');
  return {
    passed,
    failed,
    skipped: withOutcome('skipped').length,
    notRun: notRun.length,
    executed: passed + failedTests.length,
    failures,
    report: lines.join('\n'),
  };
}
