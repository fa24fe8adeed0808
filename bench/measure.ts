import { readFileSync } from 'node:fs';
import type { LoadResult, LoadTask } from './load.ts';

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
export interface Result {
  requestsPerSecond: number;
  /** Processor time of the serving process per request, in microseconds. */
  processor: number;
  failed: number;
  /** Of its requests per second to those of the baseline in the same round; null without a baseline. */
  ratio: number | null;
}

/** Programs beside the bench come and go, and a ratio compares two measurements that follow each other. */
export const ROUNDS = 5;
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

/** Milliseconds of processor time that all threads of a process have used: utime and stime, in ticks of 10 ms on every Linux machine. */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in megabytes (10^6 bytes). */
export function residentMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
}

async function measureOnce(
  load: (task: LoadTask) => Promise<LoadResult>,
  target: Target,
  { round, seconds }: { round: number; seconds: number },
): Promise<Omit<Result, 'ratio'>> {
  const before = processorTime(target.pid);
  const { answered, failures, ...report } = await load({
    ...target.task(round),
    seconds,
    connections: CONNECTIONS,
  });
  const used = processorTime(target.pid) - before;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  if (failed > 0) console.error(`${target.name}: ${JSON.stringify(failures)}`);
  return { requestsPerSecond: answered / report.seconds, processor: (used * 1000) / answered, failed };
}

/**
 * Measures all targets one after another, in {@link ROUNDS} rounds, so that other load on the machine affects all of them.
 * @param targets those with a baseline after it
 * @param seconds the duration of one measurement
 */
export async function measure(
  load: (task: LoadTask) => Promise<LoadResult>,
  targets: readonly Target[],
  seconds: number,
): Promise<Map<Target, Result>> {
  for (const target of targets) {
    await measureOnce(load, target, { round: 0, seconds: target.warmUpSeconds ?? WARM_UP_SECONDS });
  }
  const measured = new Map<Target, Result[]>(targets.map((target) => [target, []]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [target, results] of measured) {
      const result = await measureOnce(load, target, { round, seconds });
      const baseline = target.baseline && measured.get(target.baseline)?.at(-1);
      const ratio = baseline ? result.requestsPerSecond / baseline.requestsPerSecond : null;
      results.push({ ...result, ratio });
    }
  }
  return new Map([...measured].map(([target, results]) => [target, summarize(results)]));
}

function summarize(results: readonly Result[]): Result {
  const medianOf = (read: (round: Result) => number) => median(results.map(read));
  const ratios = results.flatMap(({ ratio }) => ratio ?? []);
  return {
    requestsPerSecond: medianOf((round) => round.requestsPerSecond),
    processor: medianOf((round) => round.processor),
    failed: results.reduce((sum, round) => sum + round.failed, 0),
    ratio: ratios.length === 0 ? null : median(ratios),
  };
}
