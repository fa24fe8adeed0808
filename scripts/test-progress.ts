import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Result } from './test-step.ts';

const test = z.object({ id: z.string(), name: z.string() });

const Event = z.discriminatedUnion('kind', [
  /** Files that the runner is about to load, before it knows their tests. */
  z.object({ kind: z.literal('files'), files: z.array(z.string()) }),
  z.object({ kind: z.literal('file-started'), file: z.string() }),
  z.object({ kind: z.literal('file-ended'), file: z.string() }),
  /** The tests of a file. Sent once for each file. */
  z.object({ kind: z.literal('planned'), file: z.string(), tests: z.array(test) }),
  z.object({ kind: z.literal('started'), file: z.string(), test }),
  z.object({
    kind: z.literal('ended'),
    test,
    /** `not-run`: the runner left it out because something else had failed. */
    outcome: z.enum(['passed', 'failed', 'skipped', 'not-run']),
  }),
  /** A failure outside of any test, such as an unhandled rejection or a file that cannot be loaded. */
  z.object({ kind: z.literal('error'), message: z.string() }),
]);
/** One step of a test runner, as its reporter writes it. */
export type Event = z.infer<typeof Event>;

/** The environment variable that names the file of events. */
export const PROGRESS_FILE = 'COOMERCIO_TEST_PROGRESS';

/** Appends an event to the file that {@link PROGRESS_FILE} names, at once: the process may be killed any time. */
export function report(event: Event): void {
  const file = process.env[PROGRESS_FILE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** Reads the events that a runner has written so far. A line that is being written is left for later. */
export function readEvents(file: string): Event[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => Event.parse(JSON.parse(line)));
}

/** A test that runs, or a file of which no test runs yet. */
export interface Running {
  name: string;
  /** When it started, as an index into the events. */
  since: number;
}

/** Returns what has started and not ended, the oldest first. */
export function running(events: readonly Event[]): Running[] {
  const tests = new Map<string, Running & { file: string }>();
  const files = new Map<string, Running>();
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

/** How a runner ended. */
export interface End {
  /** Its exit code; null when a signal ended it. */
  code: number | null;
  /** Why the watchdog ended it; null when it ended by itself. */
  stuck: string | null;
  /** Whether only some files were asked for, of which there may be none. */
  filtered: boolean;
}

/** How many names of tests that did not run are listed. */
const LISTED = 20;

/**
 * Compares what a runner planned with what it executed. A planned test that did not end counts as failed, as does a
 * file whose tests the runner never learned.
 */
export function judge(events: readonly Event[], { code, stuck, filtered }: End): Result {
  const outcomes = { passed: 0, failed: 0, skipped: 0 };
  const missing = new Map<string, string>();
  const unloaded = new Set<string>();
  const lines: string[] = [];
  let errors = 0;
  for (const event of events) {
    if (event.kind === 'files') for (const file of event.files) unloaded.add(file);
    else if (event.kind === 'planned') {
      unloaded.delete(event.file);
      for (const { id, name } of event.tests) missing.set(id, name);
    } else if (event.kind === 'ended' && event.outcome !== 'not-run') {
      missing.delete(event.test.id);
      outcomes[event.outcome] += 1;
    } else if (event.kind === 'error') {
      errors += 1;
      lines.push(event.message);
    }
  }
  const notRun = [...missing.values(), ...[...unloaded].map((file) => `${file} (the whole file)`)];
  let failed = outcomes.failed + errors + notRun.length;
  if (stuck !== null) lines.push(stuck);
  if (notRun.length > 0) {
    const more = notRun.length > LISTED ? [`  and ${notRun.length - LISTED} more`] : [];
    lines.push(
      'Planned and not executed to the end:',
      ...notRun.slice(0, LISTED).map((name) => `  ${name}`),
      ...more,
    );
  }
  // A failure that no event tells of, such as a crash of the runner itself.
  if (failed === 0 && code !== 0) {
    failed = 1;
    lines.push(`The runner ended with ${code === null ? 'a signal' : `code ${code}`}.`);
  }
  if (outcomes.passed + failed === 0 && !filtered) {
    failed = 1;
    lines.push('The runner executed no test at all.');
  }
  return {
    passed: outcomes.passed,
    failed,
    skipped: outcomes.skipped,
    notRun: notRun.length,
    executed: outcomes.passed + outcomes.failed,
    report: lines.join('\n'),
  };
}
