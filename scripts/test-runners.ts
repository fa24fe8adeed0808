import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed, root } from './paths.ts';
import { judge, PROGRESS_FILE, readEvents } from './test-progress.ts';
import { type Result, run } from './test-step.ts';
import { createWatchdog, SILENCE_LIMIT } from './test-watchdog.ts';

/** Milliseconds between two looks at a runner's progress. */
const LOOK = 1_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Runner {
  /** Its program and arguments. */
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Arguments with which it only plans, where it may fail before it has planned anything. */
  planning?: string[];
}

/** The tests beside the code and in tests/. @param filters parts of file names */
export function unitTests(filters: string[]): Promise<Result> {
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/progress-vitest.ts')}`];
  return runTests(
    {
      args: [installed('vitest/vitest.mjs'), 'run', ...reporters, '--passWithNoTests', ...filters],
      env: { NODE_ENV: 'test' },
    },
    { filtered: filters.length > 0 },
  );
}

/** The journeys in a real browser. @param filters parts of file names */
export function journeys(filters: string[]): Promise<Result> {
  const progress = join(root, 'scripts/progress-playwright.ts');
  const program = [installed('@playwright/test/cli.js'), 'test', '--pass-with-no-tests'];
  return runTests(
    {
      args: [...program, `--reporter=list,${progress}`, ...filters],
      // Without a shop that starts there is no plan yet.
      planning: [...program, '--list', `--reporter=${progress}`, ...filters],
    },
    { filtered: filters.length > 0 },
  );
}

/**
 * Runs a test runner whose reporter writes its progress, ends it when it is stuck, and compares what it planned with
 * what it executed.
 * @param options.filtered whether only some files were asked for, of which there may be none
 * @param options.silence milliseconds without progress after which the runner is stuck
 */
export async function runTests(
  { args, env, planning }: Runner,
  { filtered, silence = SILENCE_LIMIT }: { filtered: boolean; silence?: number },
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-progress-'));
  const file = join(folder, 'events.jsonl');
  await writeFile(file, '');
  const environment = { ...env, [PROGRESS_FILE]: file };
  const watchdog = createWatchdog(silence, performance.now());
  const stopping = new AbortController();
  let stuck: string | null = null;
  const looking = setInterval(() => {
    if (stuck !== null) return;
    const seen = watchdog.look(readEvents(file), performance.now());
    if (seen.notice !== null) say(seen.notice);
    stuck = seen.stuck;
    if (stuck === null) return;
    say(stuck);
    stopping.abort();
  }, LOOK);
  try {
    const options = { quiet: false, env: environment, signal: stopping.signal };
    const { code } = await run(process.execPath, args, options);
    const isPlanned = readEvents(file).some(({ kind }) => kind === 'files');
    if (!isPlanned && planning !== undefined)
      await run(process.execPath, planning, { quiet: true, env: environment });
    return judge(readEvents(file), { code, stuck, filtered });
  } finally {
    clearInterval(looking);
    await rm(folder, { recursive: true, force: true });
  }
}
