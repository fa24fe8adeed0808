import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

// deploy/monitoring/ without Prometheus, which reads these files itself in tests/deploy/monitoring.try.ts.

const root = join(import.meta.dirname, '../..');
const readMonitoring = (name: string) => readFile(join(root, 'deploy/monitoring', name), 'utf8');

const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
      targets: z.optional(z.array(z.object({ expr: z.string() }))),
    }),
  ),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
});

/** A job type, among the exports of a module. */
const Job = z.object({ name: z.string(), queue: z.string() });

let exposed: string;
let rules: string;
let dashboard: z.infer<typeof Dashboard>;
/** The rules and the queries of the dashboard. */
let queries: string;

async function scrapeShop(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-monitoring-'));
  let database: TestDatabase | undefined;
  try {
    database = await createTestDatabase();
    const server = await startServer({
      PORT: String(await freeShopPort()),
      COOMERCIO_DATA: folder,
      DATABASE_URL: database.url,
      DEMO: '0',
    });
    try {
      expect((await fetch(`${server.origin}/api/brands`)).status).toBe(200);
      return await (await fetch(`${server.origin}/metrics`)).text();
    } finally {
      await server.stop();
    }
  } finally {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

beforeAll(async () => {
  [exposed, rules, dashboard] = await Promise.all([
    scrapeShop(),
    readMonitoring('alerts.yml'),
    readMonitoring('dashboard.json').then((text) => Dashboard.parse(JSON.parse(text))),
  ]);
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const variables = dashboard.templating.list.map(({ query }) =>
    JSON.stringify(query).replaceAll('\\"', '"'),
  );
  queries = [rules, ...expressions, ...variables].join('\n');
});

/** A metric with its matchers, such as `coomercio_jobs{state="failed"}`. */
const selector = /\b((?:coomercio|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;

/** Labels of the scrape, which Prometheus adds. It renames the shop's own `job`. */
const scrapeLabels = new Set(['job', 'instance']);

describe('rules and dashboard', () => {
  test('name only metrics that a running shop exposes, with labels and values that these have', () => {
    const types = new Map(
      [...exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]),
    );
    const wrong = [...queries.matchAll(selector)].flatMap(([text, name = '', matchers = '']) => {
      const base = name.replace(/_(bucket|sum|count)$/, '');
      if (types.get(name) === undefined && types.get(base) !== 'histogram') return [`${text} is not exposed`];
      const samples = exposed.split('\n').filter((line) => line.startsWith(`${name}{`));
      // Nothing has been counted yet.
      if (samples.length === 0) return [];
      return [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].flatMap(
        ([, label = '', operator, value]) => {
          if (scrapeLabels.has(label)) return [];
          const own = label === 'exported_job' ? 'job' : label;
          const expected = operator === '=' ? `${own}="${value}"` : `${own}="`;
          const isKnown = (line: string) => line.includes(`{${expected}`) || line.includes(`,${expected}`);
          return samples.some(isKnown) ? [] : [`${text}: no ${expected}`];
        },
      );
    });
    expect(wrong).toEqual([]);
    // The expression finds what is there.
    expect([...queries.matchAll(selector)].length).toBeGreaterThan(60);
  });

  test('treat the queue of the jobs that send emails as emails, and no other', async () => {
    expect(rules).toContain('coomercio_jobs_oldest_age_seconds{exported_job="notices"}');
    expect(rules).toContain('coomercio_jobs_oldest_age_seconds{exported_job!="notices"}');
    const files = (await readdir(join(root, 'server'), { recursive: true })).filter((path) =>
      /[/-]notifications\.ts$|^notifications\/digest\.ts$/.test(path),
    );
    const jobs = await Promise.all(
      files.map(async (path): Promise<unknown[]> => Object.values(await import(join(root, 'server', path)))),
    );
    const queues = jobs.flat().flatMap((value) => Job.safeParse(value).data ?? []);
    expect(queues.length).toBeGreaterThan(30);
    expect(queues.filter(({ queue }) => queue !== 'notices')).toEqual([]);
  });
});

test('each rule has a severity, a sentence for what is wrong and what to do, and a section of the documents', async () => {
  const alerts = rules.split(/^ *- alert: /m).slice(1);
  expect(alerts.length).toBeGreaterThan(20);
  const documents = new Map<string, string>();
  for (const alert of alerts) {
    const name = /^\w+/.exec(alert)?.[0] ?? '';
    expect(name).toMatch(/^Coomercio[A-Z]/);
    expect(alert, name).toMatch(/severity: (page|ticket)\b/);
    expect(alert, name).toMatch(/summary: ["']?[A-Z{].+\.["']?$/m);
    expect(alert, name).toMatch(/action: ["']?[A-Z].+\.["']?$/m);
    const [, path = '', anchor = ''] = /runbook: (docs\/\w+\.md)#([\w-]+)$/m.exec(alert) ?? [];
    if (!documents.has(path)) documents.set(path, await readFile(join(root, path), 'utf8'));
    const titles = [...(documents.get(path) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    expect(titles, name).toContain(anchor);
  }
});

test('each rule is in the table of the operators’ guide, and has a test in which it fires', async () => {
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name).sort();
  const guide = await readFile(join(root, 'docs/operations.md'), 'utf8');
  expect([...guide.matchAll(/^\| `(Coomercio\w+)` \|/gm)].map(([, name = '']) => name).sort()).toEqual(names);
  const tests = await readMonitoring('alerts.test.yml');
  const fired = new Set([...tests.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name));
  expect([...fired].sort()).toEqual(names);
});

test('the panels of the dashboard do not overlap', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});
