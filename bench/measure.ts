import type { Child } from './child.ts';
import type { LoadOrder, LoadReport } from './messages.ts';
import { processorTime } from './processes.ts';

/** A measured kind of request. */
export interface Target {
  name: string;
  /** The serving process's id. */
  pid: number;
  /** Returns the order of a round; round 0 is the warm-up. */
  order(round: number): Omit<LoadOrder, 'seconds' | 'connections'>;
  /** The baseline target. */
  against: Target | null;
  /** Starts work concurrent with the requests. @returns stops it */
  beside?: () => () => Promise<unknown>;
}

/** The measurements of one round. */
interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the serving process per request, in microseconds. */
  processor: number;
  failed: number;
}

/** The medians of a target's rounds; `failed` is the sum. */
export type Result = Round;

/** Connections of the load generator, each with one open request. */
export const CONNECTIONS = 20;
/** Warm-up time until V8 has optimized the hot code. */
const WARMING_SECONDS = 3;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

async function measureOnce(
  load: Child<LoadOrder, LoadReport>,
  target: Target,
  round: number,
  seconds: number,
): Promise<Round> {
  const end = target.beside?.();
  const before = processorTime(target.pid);
  const report = await load.ask({ ...target.order(round), seconds, connections: CONNECTIONS });
  const used = processorTime(target.pid) - before;
  await end?.();
  if (report.failed > 0) console.error(`${target.name}: ${JSON.stringify(report.failures)}`);
  return {
    requestsPerSecond: report.answered / report.seconds,
    p50: report.p50,
    p99: report.p99,
    processor: (used * 1000) / report.answered,
    failed: report.failed,
  };
}

/**
 * Measures all targets in turn, in several rounds, so that other load on the machine affects all of them.
 * @param seconds of each target's turn
 */
export async function measure(
  load: Child<LoadOrder, LoadReport>,
  targets: readonly Target[],
  rounds: number,
  seconds: number,
): Promise<Map<Target, Result>> {
  for (const target of targets) await measureOnce(load, target, 0, WARMING_SECONDS);
  const measured = new Map<Target, Round[]>(targets.map((target) => [target, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [target, results] of measured) results.push(await measureOnce(load, target, round, seconds));
  }
  return new Map([...measured].map(([target, results]) => [target, summary(results)]));
}

function summary(results: readonly Round[]): Result {
  const middle = (read: (round: Round) => number) => median(results.map(read));
  return {
    requestsPerSecond: middle((round) => round.requestsPerSecond),
    p50: middle((round) => round.p50),
    p99: middle((round) => round.p99),
    processor: middle((round) => round.processor),
    failed: results.reduce((sum, round) => sum + round.failed, 0),
  };
}
