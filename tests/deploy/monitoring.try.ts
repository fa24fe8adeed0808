import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { PORTS_OF_SHOP } from '#tests/harness/operations/shop-ports.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { findProgram, type RunningProgram, startProgram } from '#tests/harness/platform/programs.ts';

// The files of deploy/monitoring/, with a real Prometheus that reads a running shop.

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../../deploy/monitoring');
const [prometheus, promtool] = [findProgram('prometheus'), findProgram('promtool')];
const isMissing = prometheus === null || promtool === null;
if (isMissing)
  console.warn('prometheus or promtool is not installed: the rules and the dashboard are not tried.');

const METRICS_TOKEN = 'the-token-of-this-trial';

const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

const Answer = z.object({ data: z.object({ result: z.array(z.unknown()) }) });
const Rules = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })),
      }),
    ),
  }),
});
/** Panels that are empty in a shop without backups, waiting jobs, or anything that failed. */
const emptyPanels = new Set([
  'Age of the oldest job',
  'Backups',
  'Failed attempts of jobs',
  'Last usable backup',
]);

describe.skipIf(isMissing)('Prometheus', () => {
  let folder: string;
  let database: TestDatabase;
  let shop: ServerProcess;
  let server: RunningProgram | undefined;
  let origin: string;

  const ask = async (path: string, parameters: Record<string, string> = {}): Promise<unknown> => {
    const answer = await fetch(`${origin}${path}?${new URLSearchParams(parameters)}`);
    const body: unknown = await answer.json();
    if (answer.status !== 200) throw new Error(`${JSON.stringify(parameters)}: ${JSON.stringify(body)}`);
    return body;
  };
  const query = async (expression: string) =>
    Answer.parse(await ask('/api/v1/query', { query: expression })).data.result;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coomercio-prometheus-'));
    await cp(examples, folder, { recursive: true });
    const port = await freePorts(PORTS_OF_SHOP + 1);
    const configuration = await readFile(join(folder, 'prometheus.yml'), 'utf8');
    const adapted = configuration
      .replace('/etc/prometheus/coomercio-token', join(folder, 'token'))
      .replace('127.0.0.1:3001', `127.0.0.1:${port}`)
      .replace(/ *- 127\.0\.0\.1:3002\n/, '')
      .replace('scrape_interval: 15s', 'scrape_interval: 1s')
      .replace('scrape_timeout: 10s', 'scrape_timeout: 1s')
      .replace('evaluation_interval: 15s', 'evaluation_interval: 1s');
    await writeFile(join(folder, 'prometheus.yml'), adapted);
    await writeFile(join(folder, 'token'), `${METRICS_TOKEN}\n`);
    database = await createTestDatabase();
    shop = await startServer({
      PORT: String(port),
      DATABASE_URL: database.url,
      COOMERCIO_DATA: join(folder, 'data'),
      DEMO: '0',
      METRICS_TOKEN,
    });
    origin = `http://127.0.0.1:${port + PORTS_OF_SHOP}`;
    server = startProgram(prometheus ?? '', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=127.0.0.1:${port + PORTS_OF_SHOP}`,
    ]);
    await vi.waitFor(async () => expect(await query('up{job="coomercio"} == 1')).toHaveLength(1), {
      timeout: 60_000,
      interval: 200,
    });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await shop?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('promtool accepts the configuration and the rules, and their tests pass', async () => {
    const check = (...args: string[]) => run(promtool ?? '', args, { cwd: folder });
    expect((await check('check', 'config', 'prometheus.yml')).stdout).toContain('SUCCESS');
    expect((await check('check', 'rules', 'alerts.yml')).stdout).toContain('SUCCESS');
    expect((await check('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
  });

  test('the tests of the rules fail for rules that were changed', async () => {
    const rules = await readFile(join(examples, 'alerts.yml'), 'utf8');
    const changed = await mkdtemp(join(folder, 'changed-'));
    await cp(join(examples, 'alerts.test.yml'), join(changed, 'alerts.test.yml'));
    await writeFile(join(changed, 'alerts.yml'), rules.replace('> 0.8', '> 0.95'));
    await expect(
      run(promtool ?? '', ['test', 'rules', 'alerts.test.yml'], { cwd: changed }),
    ).rejects.toThrow();
  });

  test('every query of the dashboard is answered by a shop with visitors', async () => {
    const { panels } = Dashboard.parse(JSON.parse(await readFile(join(examples, 'dashboard.json'), 'utf8')));
    const visit = async () => {
      for (const path of ['/', '/api/brands', '/api/bookings'])
        await (await fetch(`${shop.origin}${path}`)).text();
    };
    const expressions = panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        title,
        // What Grafana puts in.
        expression: expr
          .replaceAll('$job', 'coomercio')
          .replaceAll('$instance', '.*')
          .replaceAll('$__rate_interval', '1m'),
      })),
    );
    expect(expressions.length).toBeGreaterThan(30);
    await expect
      .poll(
        async () => {
          await visit();
          const answers = await Promise.all(
            expressions.map(async ({ title, expression }) => ({ title, found: await query(expression) })),
          );
          return answers
            .filter(({ title, found }) => found.length === 0 && !emptyPanels.has(title))
            .map(({ title }) => title);
        },
        { interval: 1_000, timeout: 60_000 },
      )
      .toEqual([]);
  });

  test('evaluates all rules without an error; none fires for a healthy shop, and a stopped one is noticed', async () => {
    const readRules = async () =>
      Rules.parse(await ask('/api/v1/rules')).data.groups.flatMap(({ rules }) => rules);
    await expect.poll(async () => (await readRules()).filter(({ health }) => health !== 'ok')).toEqual([]);
    const states = Object.fromEntries((await readRules()).map(({ name, state }) => [name, state]));
    expect(Object.keys(states).length).toBeGreaterThan(20);
    expect(Object.values(states)).not.toContain('firing');
    expect(states).toMatchObject({ CoomercioDown: 'inactive', CoomercioNoBackgroundWork: 'inactive' });

    await shop.stop();
    await expect
      .poll(async () => (await readRules()).find(({ name }) => name === 'CoomercioDown')?.state)
      .toBe('pending');
  });
});
