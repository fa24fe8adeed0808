import type { Child } from './child.ts';
import type { LoadOrder, LoadReport } from './messages.ts';
import { processorTime } from './processes.ts';

/** One thing that is measured. */
export interface Target {
  name: string;
  /** The process that answers. */
  pid: number;
  /** What is asked for; `round` 0 is for warming up. */
  order(round: number): Omit<LoadOrder, 'seconds' | 'connections'>;
  /** The target that it is compared with. */
  against: Target | null;
  /** Begins what goes on beside the requests; the answer ends it. */
  beside?: () => () => Promise<unknown>;
}

/** What one round has shown. */
interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the answering process per request, in microseconds. */
  processor: number;
  failed: number;
}

/** The medians of a target's rounds; `failed` is the sum. */
export type Result = Round;

/** Connections of the load generator, each with one request under way. */
export const CONNECTIONS = 20;
/** A server of many parts takes this long until its hot code is compiled. */
const WARMING_SECONDS = 3;

/** The value in the middle. */
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
 * Measures all targets in turn, several times over, so that whatever else the machine does meets all of them alike.
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
