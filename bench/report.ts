import { cpus, totalmem } from 'node:os';
import { CONNECTIONS, type Result, ROUNDS, SETTLED_MS, type Target } from './measure.ts';
import type { Table } from './table.ts';
import type { Targets } from './targets.ts';

/** The results of a run. */
export interface Findings {
  results: Map<Target, Result>;
  targets: Targets;
  /** Seconds from the command's start to the first answered home page. */
  startSeconds: number;
  /** Resident memory of the shop's process {@link SETTLED_MS} after the load, in megabytes. */
  memory: number;
}

const formatNumber = (value: number, digits: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns the table of the load measurements. */
export function loadTable({ results }: Findings): Table {
  return {
    columns: ['', 'requests/s', 'CPU µs', 'ratio', 'failed'],
    rows: [...results].map(([{ name }, { requestsPerSecond, processor, ratio, failed }]) => [
      name,
      formatNumber(requestsPerSecond, 0),
      formatNumber(processor, 0),
      ratio === null ? '' : formatNumber(ratio, 2),
      formatNumber(failed, 0),
    ]),
  };
}

/** Returns the table of what has a floor (docs/performance.md). */
export function floorsTable({ results, targets, startSeconds, memory }: Findings): Table {
  const row = (name: string, value: string, floor: string, isMet: boolean) => [
    name,
    value,
    floor,
    isMet ? 'met' : 'missed',
  ];
  const ratioRow = (target: Target, least: number) => {
    const ratio = results.get(target)?.ratio ?? Number.NaN;
    const name = `${target.name}: to ${target.baseline?.name}`;
    return row(name, formatNumber(ratio, 2), `at least ${formatNumber(least, 2)}`, ratio >= least);
  };
  const processorOf = (target: Target) => results.get(target)?.processor ?? Number.NaN;
  const booking = processorOf(targets.bookings) / processorOf(targets.bareRead);
  return {
    columns: ['', 'is', 'floor', ''],
    rows: [
      ratioRow(targets.list, 0.5),
      ratioRow(targets.home, 0.5),
      ratioRow(targets.everySearch, 0.5),
      ratioRow(targets.everyList, 0.35),
      row(
        `${targets.bookings.name}: processor time, to ${targets.bareRead.name}`,
        formatNumber(booking, 2),
        'at most 5.00',
        booking <= 5,
      ),
      row(
        `server memory ${SETTLED_MS / 1000} s after the load`,
        `${formatNumber(memory, 0)} MB`,
        'at most 300 MB',
        memory <= 300,
      ),
      row(
        'start, to the first home page',
        `${formatNumber(startSeconds, 2)} s`,
        'at most 5.00 s',
        startSeconds <= 5,
      ),
    ],
  };
}

/** Describes how the load was measured. */
export const loadNote = (seconds: number): string =>
  `Medians of ${ROUNDS} interleaved rounds of ${seconds} s, of ratios too; autocannon with ${CONNECTIONS} connections, all on this machine, so the load generator takes one core and the servers, PostgreSQL included, share what is left.`;

/** Describes the machine and the versions that run on it, in one line. */
export function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${processors.length} cores, ${memory} GiB of memory, Node ${process.versions.node}`;
}
