import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';

let proxy: TcpProxy;
let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop({
    proxyDatabase: async (databaseUrl) => {
      proxy = await startTcpProxy(databaseUrl);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await shop.close();
  await proxy.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.origin}${path}`, { headers });

/** Reads a metric's value; undefined when it is absent. */
async function readMetric(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const metrics = await (await get('/metrics')).text();
  const found = metrics
    .split('\n')
    .find(
      (each) =>
        new RegExp(`^${name}[{ ]`).test(each) &&
        Object.entries(labels).every(([label, value]) => each.includes(`${label}="${value}"`)),
    );
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
}

test('with an unreachable database the process is not ready but alive', async () => {
  expect((await get('/readyz')).status).toBe(200);
  proxy.disconnect();
  const notReady = await get('/readyz');
  expect(notReady.status).toBe(503);
  expect(ProblemDocument.parse(await notReady.json())).toMatchObject({ code: 'not_ready' });
  expect((await get('/healthz')).status).toBe(200);
  expect(await readMetric('coomercio_database_up')).toBe(0);
  proxy.reconnect();
  await expect.poll(async () => (await get('/readyz')).status).toBe(200);
  expect(await readMetric('coomercio_database_up')).toBe(1);
  // It answers nothing, and refuses nothing.
  proxy.stall();
  expect(await readMetric('coomercio_database_up')).toBe(0);
  proxy.disconnect();
  proxy.reconnect();
  await expect.poll(async () => (await get('/readyz')).status).toBe(200);
});

test('without the latest migration the process is not ready', async () => {
  const { pool } = shop.connection;
  const deleted = await pool.query('delete from kysely_migration returning name, timestamp');
  expect((await get('/readyz')).status).toBe(503);
  for (const { name, timestamp } of deleted.rows) {
    await pool.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [name, timestamp]);
  }
  expect((await get('/readyz')).status).toBe(200);
});

test('metrics count requests by route and status, payments by outcome, jobs and connections', async () => {
  const seller = await shop.seller();
  const laptop = await shop.laptop(seller);
  const [first, second] = [await shop.buyer(), await shop.buyer()];
  const bookings = [await shop.booking(first, laptop), await shop.booking(second, laptop)];
  const prepare = (at: 0 | 1) =>
    [first, second][at]?.client.call(createPaymentIntent, {
      body: { price: 549.99, bookingId: bookings[at] ?? '' },
    });
  const { clientSecret = '' } = (await prepare(0)) ?? {};
  await expect(prepare(1)).rejects.toMatchObject({ code: 'somebody_is_paying' });
  const { transactionId } = await shop.pay(clientSecret);
  await first.client.call(recordPayment, { body: { transactionId, bookingId: bookings[0] ?? '' } });

  const payments = '/api/create-payment-intent';
  await expect.poll(() => readMetric('coomercio_payments', { outcome: 'paid' })).toBe(1);
  expect(
    await readMetric('coomercio_request_duration_seconds_count', { route: payments, status: '200' }),
  ).toBe(1);
  expect(
    await readMetric('coomercio_request_duration_seconds_count', { route: payments, status: '409' }),
  ).toBe(1);
  expect(await readMetric('coomercio_refusals_total', { route: payments, code: 'somebody_is_paying' })).toBe(
    1,
  );
  expect(await readMetric('coomercio_database_connections', { state: 'total' })).toBeGreaterThan(0);
  expect(await readMetric('coomercio_database_connections', { state: 'waiting' })).toBe(0);
  expect(await readMetric('coomercio_reconciliations_total', { outcome: 'done' })).toBe(0);
  expect(await readMetric('coomercio_refunds', { state: 'pending' })).toBe(0);
  expect(await readMetric('coomercio_refunds', { state: 'failed' })).toBe(0);
  expect(await readMetric('coomercio_disputes', { state: 'open' })).toBe(0);
  expect(await readMetric('nodejs_eventloop_lag_seconds')).toBeDefined();
  expect(await readMetric('coomercio_search_index_ready')).toBe(1);
  await expect.poll(() => readMetric('coomercio_search_index_laptops')).toBe(0);
  expect(await readMetric('coomercio_search_index_age_seconds')).toBeLessThan(300);
  expect(await readMetric('coomercio_search_index_load_seconds')).toBeGreaterThan(0);
  expect(await readMetric('coomercio_search_index_bytes')).toBeGreaterThan(0);
  expect(await readMetric('coomercio_search_index_waiting')).toBe(0);
  expect(await readMetric('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('unknown paths and paths with ids do not add metric labels', async () => {
  for (let at = 0; at < 5; at += 1) await get(`/api/bookings/${crypto.randomUUID()}`);
  for (let at = 0; at < 5; at += 1) await get(`/nowhere-${at}`);
  const metrics = await (await get('/metrics')).text();
  expect(metrics).toContain('route="/api/bookings/:_id"');
  expect(metrics).toContain('route="unknown"');
  expect(metrics).not.toContain('nowhere');
});

test('metrics are not served through a proxy', async () => {
  expect((await get('/metrics')).status).toBe(200);
  for (const trace of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    expect((await get('/metrics', { [trace]: '198.51.100.7' })).status, trace).toBe(404);
  }
});

test('each response has its request id, the same as in its problem document', async () => {
  const refused = await get('/api/bookings');
  const { requestId } = ProblemDocument.parse(await refused.json());
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(refused.headers.get('x-request-id')).toBe(requestId);
  expect((await get('/api/brands')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);

  // An address that no route can be looked up for.
  const { port } = new URL(shop.origin);
  const broken = await new Promise<{ id: unknown; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/api/category/%E0%A4%A' }, async (answer) => {
      resolve({ id: answer.headers['x-request-id'], body: await text(answer) });
    })
      .on('error', reject)
      .end();
  });
  expect(ProblemDocument.parse(JSON.parse(broken.body)).requestId).toBe(broken.id);
});
