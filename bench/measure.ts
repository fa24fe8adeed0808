import { readdirSync, readFileSync } from 'node:fs';
import type { Child } from './child.ts';
import type { LoadResult, LoadTask } from './messages.ts';

/** A measured kind of request. */
export interface Target {
  name: string;
  /** The serving process's id. */
  pid: number;
  /** Returns the task of a round; round 0 is the warm-up. */
  task(round: number): Omit<LoadTask, 'seconds' | 'connections'>;
  /** The baseline target. */
  baseline: Target | null;
  /** The duration of the warm-up; the usual one without it. */
  warmUpSeconds?: number;
}

/** The measurements of one round; or the medians of all rounds, with the sum of `failed`. */
export interface Result extends Pick<LoadResult, 'p50' | 'p99' | 'failed'> {
  requestsPerSecond: number;
  /** Processor time of the serving process per request, in microseconds. */
  processor: number;
  /** Processor time of all processes of PostgreSQL per request, in microseconds. */
  database: number;
}

/** Connections of the load generator, each with one open request. */
export const CONNECTIONS = 20;
/** The time between a load and the reading of the memory, in milliseconds. */
export const SETTLED_MS = 10_000;
/** The duration of the warm-up, in which V8 optimizes the hot code. */
const WARM_UP_SECONDS = 2;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The fields of a process's `/proc/…/stat` after its name. @throws Error when it has ended */
function statFields(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The parent process's id. */
export const parentOf = (pid: number): number => Number(statFields(pid)[1]);

/** Adds fields of `/proc/…/stat` in ticks of 10 ms, the same on every Linux machine. @returns milliseconds */
const sumOfTicks = (fields: readonly string[], indexes: readonly number[]) =>
  indexes.reduce((sum, index) => sum + Number(fields[index]) * 10, 0);

/** The indexes of utime and stime, and of those of the ended children. */
const OWN_TIME = [11, 12];
const ENDED_CHILDREN = [13, 14];

/** Milliseconds of processor time that all threads of a process have used. */
const processorTime = (pid: number): number => sumOfTicks(statFields(pid), OWN_TIME);

/** Milliseconds of processor time that a process and its children have used. */
function processorTimeWithChildren(pid: number): number {
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const fields = statFields(name);
      return Number(fields[1]) === pid ? [sumOfTicks(fields, OWN_TIME)] : [];
    } catch {
      // It ended after the listing, and counts as an ended child.
      return [];
    }
  });
  return children.reduce(
    (sum, time) => sum + time,
    sumOfTicks(statFields(pid), [...OWN_TIME, ...ENDED_CHILDREN]),
  );
}

/** Resident memory of a process in megabytes (10^6 bytes). */
export function residentMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
}

async function measureOnce(
  load: Child<LoadTask, LoadResult>,
  target: Target,
  { round, seconds, postmaster }: { round: number; seconds: number; postmaster: number },
): Promise<Result> {
  const before = processorTime(target.pid);
  const databaseBefore = processorTimeWithChildren(postmaster);
  const report = await load.run({ ...target.task(round), seconds, connections: CONNECTIONS });
  const used = processorTime(target.pid) - before;
  const usedByDatabase = processorTimeWithChildren(postmaster) - databaseBefore;
  if (report.failed > 0) console.error(`${target.name}: ${JSON.stringify(report.failures)}`);
  return {
    requestsPerSecond: report.answered / report.seconds,
    p50: report.p50,
    p99: report.p99,
    processor: (used * 1000) / report.answered,
    database: (usedByDatabase * 1000) / report.answered,
    failed: report.failed,
  };
}

/**
 * Measures all targets one after another, in several rounds, so that other load on the machine affects all of them.
 * @param options.seconds the duration of one measurement
 * @param options.postmaster the id of PostgreSQL's first process
 */
export async function measure(
  load: Child<LoadTask, LoadResult>,
  targets: readonly Target[],
  { rounds, seconds, postmaster }: { rounds: number; seconds: number; postmaster: number },
): Promise<Map<Target, Result>> {
  for (const target of targets) {
    const { warmUpSeconds = WARM_UP_SECONDS } = target;
    await measureOnce(load, target, { round: 0, seconds: warmUpSeconds, postmaster });
  }
  const measured = new Map<Target, Result[]>(targets.map((target) => [target, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [target, results] of measured)
      results.push(await measureOnce(load, target, { round, seconds, postmaster }));
  }
  return new Map([...measured].map(([target, results]) => [target, summarize(results)]));
}

function summarize(results: readonly Result[]): Result {
  const medianOf = (read: (round: Result) => number) => median(results.map(read));
  return {
    requestsPerSecond: medianOf((round) => round.requestsPerSecond),
    p50: medianOf((round) => round.p50),
    p99: medianOf((round) => round.p99),
    processor: medianOf((round) => round.processor),
    database: medianOf((round) => round.database),
    failed: results.reduce((sum, round) => sum + round.failed, 0),
  };
}
