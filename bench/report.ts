import type { Transfer } from './home-page.ts';
import { CONNECTIONS, type Result, type Target } from './measure.ts';
import { type Category, categories, type PageQuality, VISITS } from './page-quality.ts';
import type { Table } from './table.ts';
import type { Targets } from './targets.ts';

/** The results of a run. */
export interface Findings {
  results: Map<Target, Result>;
  targets: Targets;
  /** Seconds from the command's start to the first answered home page. */
  starts: { first: number; again: number };
  /** Resident memory of the shop's process, in megabytes. */
  memory: { started: number; loaded: number; highest: number };
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
    columns: ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio', 'failed'],
    rows: [...results].map(([target, result]) => {
      const ratio = ratioOf(results, target);
      return [
        target.name,
        formatNumber(result.requestsPerSecond, 0),
        formatNumber(result.p50, 2),
        formatNumber(result.p99, 2),
        formatNumber(result.processor, 0),
        ratio === null ? '' : formatNumber(ratio, 2),
        formatNumber(result.failed, 0),
      ];
    }),
  };
}

const formatGoal = (met: boolean) => (met ? 'met' : 'missed');
const formatKilobytes = (bytes: number) => `${formatNumber(bytes / 1000, 1)} kB`;

/** Returns the table of starts, memory and the first visit, compared with their goals. */
export function figuresTable({ results, targets, starts, memory, home }: Findings): Table {
  const scripts = home.bytes.get('Script') ?? 0;
  const fonts = home.bytes.get('Font') ?? 0;
  const total = [...home.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const unchanged = ratioOf(results, targets.firstPage) ?? Number.NaN;
  const read = ratioOf(results, targets.everyPage) ?? Number.NaN;
  return {
    columns: ['', 'is', 'aim', ''],
    rows: [
      [
        'category, unchanged, to bare node:http',
        formatNumber(unchanged, 2),
        'at least 0.70',
        formatGoal(unchanged >= 0.7),
      ],
      [
        'category, nothing cached, to bare node:http + pg',
        formatNumber(read, 2),
        'at least 0.70',
        formatGoal(read >= 0.7),
      ],
      [
        'home page, first visit: JavaScript',
        formatKilobytes(scripts),
        'at most 110 kB',
        formatGoal(scripts <= 110_000),
      ],
      ['home page, first visit: fonts', formatKilobytes(fonts), 'at most 60 kB', formatGoal(fonts <= 60_000)],
      ['home page, first visit: CSS', formatKilobytes(home.bytes.get('Stylesheet') ?? 0), '', ''],
      [`home page, first visit: all ${home.requests} requests`, formatKilobytes(total), '', ''],
      [
        'server memory after the load',
        `${formatNumber(memory.loaded, 0)} MB`,
        'under 200 MB',
        formatGoal(memory.loaded < 200),
      ],
      ['server memory at its highest', `${formatNumber(memory.highest, 0)} MB`, '', ''],
      ['server memory after the start', `${formatNumber(memory.started, 0)} MB`, '', ''],
      ['start, to the first home page', `${formatNumber(starts.again, 2)} s`, '', ''],
      ['very first start, which makes the database', `${formatNumber(starts.first, 2)} s`, '', ''],
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
  return [
    ...categories.map((category) => {
      const least = category === 'performance' ? 95 : 100;
      const score = scores[category];
      const [worst, best] = spread.performance;
      const range = category === 'performance' ? `${worst} – ${best}` : '';
      return [
        `${path}: ${scoreNames[category]}`,
        String(score),
        range,
        `at least ${least}`,
        formatGoal(score >= least),
      ];
    }),
    [
      `${path}: largest paint`,
      `${seconds(largestPaint)} s`,
      spread.largestPaint.map(seconds).join(' – '),
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
