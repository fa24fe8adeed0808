import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed, root } from './paths.ts';
import { run } from './run-program.ts';
import { PROGRESS_FILE, readEvents, toStepResult } from './test-progress.ts';
import type { StepResult } from './test-result.ts';
import { createWatchdog, SILENCE_LIMIT } from './test-watchdog.ts';

/** Milliseconds between two reads of a runner's progress. */
const POLL_INTERVAL = 1_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Runner {
  /** Its program and arguments. */
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** The arguments that only list its tests, for a runner that can fail before it has reported them. */
  listArgs?: string[];
}

/** Runs the tests beside the code and in tests/ with vitest. @param filters parts of file names */
export function unitTests(filters: string[]): Promise<StepResult> {
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/progress-vitest.ts')}`];
  return runTests(
    {
      args: [installed('vitest/vitest.mjs'), 'run', ...reporters, '--passWithNoTests', ...filters],
      env: { NODE_ENV: 'test' },
    },
    { filtered: filters.length > 0 },
  );
}

/** Runs the browser tests with Playwright. @param filters parts of file names */
export function journeys(filters: string[]): Promise<StepResult> {
  const progress = join(root, 'scripts/progress-playwright.ts');
  const program = [installed('@playwright/test/cli.js'), 'test', '--pass-with-no-tests'];
  return runTests(
    {
      args: [...program, `--reporter=list,${progress}`, ...filters],
      // Playwright reports its tests only after the shop has started.
      listArgs: [...program, '--list', `--reporter=${progress}`, ...filters],
    },
    { filtered: filters.length > 0 },
  );
}

/**
 * Runs a test runner whose reporter writes its progress, ends it if it is stuck, and compares the planned tests with
 * the executed ones.
 * @param options.filtered whether only some files were requested, which may be none
 * @param options.silence milliseconds without progress after which the runner is stuck
 */
export async function runTests(
  { args, env, listArgs }: Runner,
  { filtered, silence = SILENCE_LIMIT }: { filtered: boolean; silence?: number },
): Promise<StepResult> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-progress-'));
  const file = join(folder, 'events.jsonl');
  await writeFile(file, '');
  const environment = { ...env, [PROGRESS_FILE]: file };
  const watchdog = createWatchdog(silence, performance.now());
  const stopping = new AbortController();
  let stuck: string | null = null;
  const polling = setInterval(() => {
    if (stuck !== null) return;
    const checked = watchdog.check(readEvents(file), performance.now());
    if (checked.notice !== null) print(checked.notice);
    stuck = checked.stuck;
    if (stuck === null) return;
    print(stuck);
    stopping.abort();
  }, POLL_INTERVAL);
  try {
    const options = { quiet: false, env: environment, signal: stopping.signal };
    const { code } = await run(args, options);
    const isPlanned = readEvents(file).some(({ kind }) => kind === 'files');
    if (!isPlanned && listArgs !== undefined) await run(listArgs, { quiet: true, env: environment });
    return toStepResult(readEvents(file), { code, stuck, filtered });
  } finally {
    clearInterval(polling);
    await rm(folder, { recursive: true, force: true });
  }
}
