import { cpus, totalmem } from 'node:os';
import type { RenderedPage } from './first-renderings.ts';
import { STREAMS, type StreamFigures } from './live-streams.ts';
import { CONNECTIONS, type Result, SETTLED_MS, type Target } from './measure.ts';
import { type Category, categories, type PageQuality, type Transfer, VISITS } from './page-quality.ts';
import type { Table } from './table.ts';
import type { Targets } from './targets.ts';

/** The results of a run. */
export interface Findings {
  results: Map<Target, Result>;
  targets: Targets;
  /** The number of laptops. */
  laptops: number;
  /** The category's pages of a shop with 10,000 laptops; null when it has no more. */
  reference: Result | null;
  /** Milliseconds of processor time per page that is not kept. */
  renderings: ReadonlyMap<RenderedPage, number>;
  /** Seconds from the command's start to the first answered home page, and to the first answered search. */
  starts: { first: number; again: number; search: number };
  /** Seconds from a change in another process until a search finds it. */
  changeSeconds: number;
  streams: StreamFigures;
  /**
   * Resident memory of the shop's process, in megabytes: also {@link SETTLED_MS} after the load without bookings, and after the
   * bookings.
   */
  memory: { started: number; loaded: number; booked: number; highest: number };
  home: Transfer;
}

const formatNumber = (value: number, digits: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

function ratioOf(results: Findings['results'], target: Target): number | null {
  const own = results.get(target)?.requestsPerSecond;
  const other = target.baseline === null ? undefined : results.get(target.baseline)?.requestsPerSecond;
  return own === undefined || other === undefined ? null : own / other;
}

/** Returns the table of the load measurements. */
export function loadTable({ results }: Findings): Table {
  return {
    columns: ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'PostgreSQL µs', 'ratio', 'failed'],
    rows: [...results].map(([target, result]) => {
      const ratio = ratioOf(results, target);
      return [
        target.name,
        formatNumber(result.requestsPerSecond, 0),
        formatNumber(result.p50, 2),
        formatNumber(result.p99, 2),
        formatNumber(result.processor, 0),
        formatNumber(result.database, 0),
        ratio === null ? '' : formatNumber(ratio, 2),
        formatNumber(result.failed, 0),
      ];
    }),
  };
}

/** The processor time of a target to that of its baseline, the database's included. */
function processorRatioOf(results: Findings['results'], target: Target): number {
  const timeOf = (each: Target | null) => {
    const result = each === null ? undefined : results.get(each);
    return result === undefined ? Number.NaN : result.processor + result.database;
  };
  return timeOf(target) / timeOf(target.baseline);
}

const formatGoal = (isMet: boolean) => (isMet ? 'met' : 'missed');
const formatKilobytes = (bytes: number) => `${formatNumber(bytes / 1000, 1)} kB`;

/** The processor time of the category, the database's included, compared with that of a shop with 10,000 laptops. */
function categoryRow({ results, targets, laptops, reference }: Findings): string[][] {
  const many = results.get(targets.everyPage);
  if (reference === null || many === undefined) return [];
  const times = (many.processor + many.database) / (reference.processor + reference.database);
  const name = `category with ${formatNumber(laptops, 0)} laptops: processor time to that with 10,000`;
  return [[name, formatNumber(times, 2), 'at most 1.20', formatGoal(times <= 1.2)]];
}

/** Returns the table of starts, memory and the first visit, compared with their goals. */
export function figuresTable(findings: Findings): Table {
  const { results, targets, starts, memory, streams, home } = findings;
  const row = (name: string, value: string, goal = '', isMet?: boolean) => [
    name,
    value,
    goal,
    isMet === undefined ? '' : formatGoal(isMet),
  ];
  const ratioRow = (name: string, target: Target, least: number) => {
    const ratio = ratioOf(results, target) ?? Number.NaN;
    return row(name, formatNumber(ratio, 2), `at least ${formatNumber(least, 2)}`, ratio >= least);
  };
  const processorOf = (target: Target | null) =>
    (target === null ? undefined : results.get(target)?.processor) ?? Number.NaN;
  const processorRow = (name: string, target: Target) => {
    const times = processorOf(target) / processorOf(target.baseline);
    return row(
      `${name}: processor time to bare node:http`,
      formatNumber(times, 2),
      'at most 2.00',
      times <= 2,
    );
  };
  const databaseRow = (name: string, target: Target, most: number) => {
    const times = processorRatioOf(results, target);
    const label = `${name}: processor time, PostgreSQL’s included, to bare node:http + pg`;
    return row(label, formatNumber(times, 2), `at most ${formatNumber(most, 2)}`, times <= most);
  };
  const megabytes = (value: number) => `${formatNumber(value, 0)} MB`;
  const seconds = (value: number) => `${formatNumber(value, 2)} s`;
  const bytesOf = (type: string) => home.bytes.get(type) ?? 0;
  const [scripts, fonts] = [bytesOf('Script'), bytesOf('Font')];
  const total = [...home.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const visit = 'home page, first visit';
  const bookingMs = processorOf(targets.bookings) / 1_000;
  return {
    columns: ['', 'is', 'aim', ''],
    rows: [
      ratioRow('category, unchanged, to bare node:http', targets.firstPage, 0.5),
      ratioRow('category, nothing cached, to bare node:http + pg', targets.everyPage, 0.35),
      processorRow('home page, kept', targets.home),
      processorRow('blog, kept', targets.blog),
      processorRow('laptop’s page, kept', targets.laptop),
      processorRow('search page, kept', targets.search),
      processorRow('category list, compressed', targets.compressed),
      databaseRow('search, every query another', targets.everySearch, 2),
      ratioRow('search, every query another, to bare node:http + pg', targets.everySearch, 0.5),
      databaseRow('page of 50 messages', targets.messages, 1.5),
      ...categoryRow(findings),
      ...[...findings.renderings].map(([page, milliseconds]) =>
        row(
          `${page}, first rendering: processor time`,
          `${formatNumber(milliseconds, 2)} ms`,
          'at most 2.00 ms',
          milliseconds <= 2,
        ),
      ),
      row(
        'a change in another process, until a search finds it',
        seconds(findings.changeSeconds),
        'at most 1.00 s',
        findings.changeSeconds <= 1,
      ),
      row(
        'a booking, with the emails that are sent meanwhile: processor time',
        `${formatNumber(bookingMs, 2)} ms`,
        'at most 2.50 ms',
        bookingMs <= 2.5,
      ),
      row(`${visit}: JavaScript`, formatKilobytes(scripts), 'at most 120 kB', scripts <= 120_000),
      row(`${visit}: fonts`, formatKilobytes(fonts), 'at most 60 kB', fonts <= 60_000),
      row(`${visit}: CSS`, formatKilobytes(bytesOf('Stylesheet'))),
      row(`${visit}: all ${home.requests} requests`, formatKilobytes(total)),
      row(
        `server memory ${SETTLED_MS / 1000} s after the load`,
        megabytes(memory.loaded),
        'under 300 MB',
        memory.loaded < 300,
      ),
      row(`server memory ${SETTLED_MS / 1000} s after the bookings`, megabytes(memory.booked)),
      row('server memory at its highest', megabytes(memory.highest)),
      row(
        `server memory for ${formatNumber(STREAMS, 0)} open event streams`,
        megabytes(streams.memory),
        'under 60 MB',
        streams.memory < 60,
      ),
      row(
        'scans of people’s tables for each of them while it is open',
        formatNumber(streams.queries, 2),
        'below 0.10',
        streams.queries < 0.1,
      ),
      row('server memory after the start', megabytes(memory.started)),
      row('start, to the first home page', seconds(starts.again)),
      row('start, to the first search', seconds(starts.search), 'at most 5.00 s', starts.search <= 5),
      row('very first start, which makes the database', seconds(starts.first)),
    ],
  };
}

const scoreNames = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
  seo: 'SEO',
} as const satisfies Record<Category, string>;

function rowsOf(path: string, { scores, largestPaint, layoutShift, blocked, spread }: PageQuality) {
  const seconds = (milliseconds: number) => formatNumber(milliseconds / 1000, 2);
  const paintRange = spread.largestPaint.map(seconds).join(' – ');
  return [
    ...categories.map((category) => {
      const least = category === 'performance' ? 95 : 100;
      const score = scores[category];
      const range = category === 'performance' ? spread.performance.join(' – ') : '';
      const goal = formatGoal(score >= least);
      return [`${path}: ${scoreNames[category]}`, String(score), range, `at least ${least}`, goal];
    }),
    [
      `${path}: largest paint`,
      `${seconds(largestPaint)} s`,
      paintRange,
      'at most 1.80 s',
      formatGoal(largestPaint <= 1800),
    ],
    [
      `${path}: layout shift`,
      formatNumber(layoutShift, 3),
      '',
      'below 0.005',
      formatGoal(layoutShift < 0.005),
    ],
    [`${path}: total blocking time`, `${formatNumber(blocked, 0)} ms`, '', '', ''],
  ];
}

/** Returns the table of the Lighthouse results. */
export function pagesTable(pages: ReadonlyMap<string, PageQuality>): Table {
  return {
    columns: ['Lighthouse', 'is', 'between', 'aim', ''],
    rows: [...pages].flatMap(([path, page]) => rowsOf(path, page)),
  };
}

/** Describes how the load was measured. */
export function loadNote(rounds: number, seconds: number): string {
  return `Medians of ${rounds} interleaved rounds of ${seconds} s; autocannon with ${CONNECTIONS} connections, all on this machine, so the load generator takes one core and the servers, PostgreSQL included, share what is left.`;
}

/** Describes how the pages were audited. */
export function pagesNote(): string {
  return `Medians of ${VISITS} first visits by Lighthouse to a shop with demo data: a phone with a processor four times slower than this one, on slow 4G, both simulated.`;
}

/** Describes the machine and the versions that run on it, in one line. */
export function describeMachine(postgresVersion: string): string {
  const processors = cpus();
  const model = processors[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  return [
    `${model}, ${processors.length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgresVersion}`,
  ].join(', ');
}
