import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { book } from '#contract/sales/bookings.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { freePorts, portOf } from '#tests/harness/platform/ports.ts';
import { startTracing, type Tracing } from './start.ts';

/** The part of OTLP’s JSON that the tests read. */
const Traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({
        attributes: z.array(z.object({ key: z.string(), value: z.looseObject({}) })),
      }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.optional(z.string()),
              name: z.string(),
              attributes: z.array(z.object({ key: z.string(), value: z.looseObject({}) })),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Received = z.infer<typeof Traces>['resourceSpans'][number];
type Span = Received['scopeSpans'][number]['spans'][number];

const received: Received[] = [];
const spans = (): Span[] => received.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
const lines: string[] = [];

const errors: unknown[] = [];
/** @param url of the collector, by default that of the tests */
function start(continuesTraces: boolean, url = `http://localhost:${portOf(collector)}`): Tracing {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
  vi.stubEnv('OTEL_SERVICE_NAME', 'lisbon');
  const sampling = { sampler: 'always_on', ratio: 1 } as const;
  return startTracing({ sampling, continuesTraces, onError: (error) => errors.push(error) });
}

let collector: Server;
let tracing: Tracing;
let shop: TestShop;
let buyer: Person;
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    received.push(...Traces.parse(JSON.parse(await text(request))).resourceSpans);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, 'localhost');
  await once(collector, 'listening');
  tracing = start(false);
  shop = await startTestShop({
    tracing,
    dependencies: async () => ({
      logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    }),
  });
  buyer = await shop.buyer();
});
afterAll(async () => {
  await shop.close();
  await tracing.stop();
  collector.close();
});

/** Ends only what hangs: spans are sent in batches. */
const WAITING = { timeout: 60_000 };

/** Waits for the span of a call. @returns it and the spans of its trace */
async function traceOf(name: string): Promise<{ span: Span; trace: Span[] }> {
  const span = await vi.waitFor(() => {
    const found = spans().findLast((each) => each.name === name);
    if (found === undefined) throw new Error(`No span ${name} among ${spans().map((each) => each.name)}`);
    return found;
  }, WAITING);
  return { span, trace: spans().filter(({ traceId }) => traceId === span.traceId) };
}
const textOf = ({ attributes }: Span) =>
  JSON.stringify(attributes.find(({ key }) => key === 'db.query.text')?.value);

test('a booking is one trace with its queries, without what its people wrote', async () => {
  const laptop = await shop.laptop(await shop.seller());
  const body = { price: 549.99, phone: '+351 955 000 333', location: 'Rua Nova 9', productCode: laptop };
  await buyer.client.call(book, { body });
  const { span, trace } = await traceOf(`POST /api${book.path}`);
  const insert = trace.find((each) => textOf(each)?.includes('insert into bookings'));
  expect(insert).toMatchObject({ name: 'INSERT', parentSpanId: span.spanId });
  expect(span.parentSpanId ?? '').toBe('');
  expect(JSON.stringify(received)).not.toMatch(/955 000 333|Rua Nova|@people\.example/);
  expect(JSON.stringify(received[0]?.resource)).toContain('lisbon');
  expect(lines.filter((line) => line.includes(span.traceId))).not.toEqual([]);
});

test('a request to the card processor is a part of the trace, a job has a trace of its own', async () => {
  const laptop = await shop.laptop(await shop.seller());
  const bookingId = await shop.booking(buyer, laptop);
  await buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
  const { trace } = await traceOf(`POST /api${createPaymentIntent.path}`);
  expect(trace.map(({ name }) => name)).toContain('POST 127.0.0.1');
  const job = await vi.waitFor(() => {
    const found = spans().find(({ name }) => name.startsWith('job '));
    if (found === undefined) throw new Error('No job has ended.');
    return found;
  }, WAITING);
  expect(job.parentSpanId ?? '').toBe('');
});

test('spans about sending spans are not sent', () => {
  expect(spans().length).toBeGreaterThan(0);
  expect(spans().map(({ name }) => name)).not.toContain('POST localhost');
});

test.each([
  [false, 'a stranger cannot choose the trace'],
  [true, 'behind a trusted proxy a trace goes on, and does not decide what is recorded'],
])('traceparent with %s: %s', async (continuesTraces) => {
  const other = start(continuesTraces);
  const app = Fastify();
  other.traceRequests(app);
  app.get('/continued', async () => 'done');
  const traceId = 'a'.repeat(32);
  // Its last part says that the sender does not record.
  await app.inject({ url: '/continued', headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-00` } });
  await other.stop();
  const { span } = await traceOf('GET /continued');
  expect(span.traceId === traceId).toBe(continuesTraces);
  await app.close();
});

test('a collector that is away is reported once, and does not keep the process from ending', async () => {
  const port = await freePorts(1);
  const other = start(false, `http://127.0.0.1:${port}`);
  for (let query = 0; query < 10_000; query += 1) other.traceQuery('select 1')(null);
  await other.stop();
  expect(errors).toHaveLength(1);
});
