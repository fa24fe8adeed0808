import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/calls.ts';
import { checklistItems } from '#contract/certification/checklist.ts';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { wish } from '#contract/listings/wishlist.ts';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { ProblemDocument, type RefusalCode, refusals } from '#contract/platform/refusals.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import { sampleBrowser, sampleResults } from '#server/certification/inspections/testing/sample-check.ts';
import { createUnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import { type Person, startTestShop, type TestShop, unsubscribeKey } from '#tests/harness/operations/shop.ts';
import { testSeeds } from '#tests/harness/platform/property-seeds.ts';
import {
  entitledSenders,
  type FuzzRequest,
  requestsTo,
  type Sender,
  type ValidValues,
} from './fuzz/inputs.ts';

/** Add each seed with which a run fails. */
const seeds = [1];
/** For `npm run test:all`. */
const furtherSeeds = [2, 3, 4];

/** Number of inputs per call and seed, twice as many in `npm run test:all`, and how many of them are sent at once. */
const INPUTS = process.env.ALL_SEEDS === undefined ? 6 : 12;
const CONCURRENCY = 6;

/** A call without a response fails the test. */
const TIMEOUT_MS = 60_000;

let shop: TestShop;
let tokens: Record<Sender, string | null>;
let validValues: ValidValues;
let people: Person[];

beforeAll(async () => {
  shop = await startTestShop({ limited: true });
  const [buyer, seller, admin] = [await shop.buyer(), await shop.seller(), await shop.admin()];
  people = [buyer, seller, admin];
  // The rows that inputs may end or delete belong to other users than the senders.
  const [victim, trader] = [await shop.buyer('Vic Tim'), await shop.seller('Tra Der')];
  const laptops = await Promise.all([shop.laptop(seller), shop.laptop(seller), shop.laptop(trader)]);
  const bookings = await Promise.all(laptops.map((id) => shop.booking(buyer, id)));
  const wishes = await Promise.all(
    laptops.map((productCode) => buyer.client.call(wish, { body: { productCode } })),
  );
  const proven = 'fuzzed@people.example';
  tokens = {
    nobody: null,
    forged: 'forged',
    identity: await shop.issuer.idToken(proven),
    Buyer: buyer.token,
    Seller: seller.token,
    Admin: admin.token,
  };
  const conversations = await Promise.all(
    bookings.map(
      async (bookingId) => (await buyer.client.call(openConversation, { body: { bookingId } })).insertedId,
    ),
  );
  const ids = [
    ...[...laptops, ...bookings, ...conversations],
    ...wishes.map(({ insertedId }) => insertedId ?? ''),
    victim.userId,
  ];
  const photo = `${shop.origin}/photos/${'a'.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`;
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptops[0] ?? '' } });
  validValues = {
    _id: ids,
    id: ['HP', 'Dell', 'Acer', 'hp'],
    email: [victim.email, trader.email, proven, proven.toUpperCase()],
    productCode: laptops,
    laptopId: laptops,
    bookingId: bookings,
    price: [549.99, '549.99'],
    original_price: [1299, '549.99'],
    resale_price: [549.99, '1'],
    category_Id: ['HP', 'Dell'],
    image: [photo],
    images: [[photo], [photo, photo.replace('photos/a', 'photos/b')]],
    mobile_number: ['+351 912 345 678', 912345678],
    phone: ['+351 912 345 678', '+34612345678'],
    location: ['Lisbon'],
    name: ['A name'],
    description: ['Works.'],
    use_time: ['2 years'],
    transactionId: ['pi_unknown'],
    limit: ['1', '100'],
    cursor: ['1', '24'],
    note: ['Not as described.'],
    text: ['It does not start.'],
    kind: ['does_not_work', 'not_handed_over'],
    move: ['accept', 'offer', 'withdraw', 'take_offer', 'decide_part'],
    amount: [20, '19.99'],
    photos: [[], [photo]],
    filters: [{ brand: ['HP'], q: 'elitebook' }, { max_price: 900 }],
    frequency: ['daily', 'at once'],
    code: [code, '123456'],
    report: [`laptop-report 1 ${code}`],
    number: ['2026-000001', '1'],
    month: ['2026-11'],
    from: ['2026-11-01'],
    until: ['2026-11-30'],
    country: ['US'],
    meeting: conversations,
    version: [1],
    decideInspection: [
      {
        ...{
          version: 1,
          measurementId: crypto.randomUUID(),
          kind: 'photos',
          decision: 'sent_back',
          note: 'The photos are dark.',
        },
        checklist: Object.fromEntries(Object.keys(checklistItems).map((item) => [item, 'unchecked'])),
      },
    ],
    recordSellerCheck: [
      {
        ...{ document: 'identity', kind: 'Passport', seen: 'In person', name: 'Tra Der' },
        day: new Date().toISOString().slice(0, 10),
      },
    ],
    results: [sampleResults()],
    browser: [sampleBrowser],
    sellerId: [seller.userId],
    topic: ['bookings', 'reviews'],
    delivery: ['now', 'daily', 'off'],
    document: ['address', 'identity'],
    path: ['/dashboard/myOrders', '/\u0000'],
    endpoint: ['https://fcm.googleapis.com/fcm/send/fuzzed', 'https://fcm.googleapis.com/\u0000'],
    keys: [{ p256dh: 'B'.padEnd(87, 'A'), auth: 'A'.repeat(22) }],
    sequence: [0, 1],
    blocked: [false],
    place: ['Central Station'],
    startsAt: [new Date(Date.now() + 7 * 86_400_000).toISOString()],
    stars: [1, 5],
    reason: ['It names a person.'],
    token: [createUnsubscribeLinks('', [unsubscribeKey]).urlOfSearch(crypto.randomUUID()).slice(-64)],
  };
});
afterAll(() => shop.close());

/** The refusal codes that an endpoint may return: its own, those of access control and those of validation. */
function allowedRefusals({
  access,
  params,
  needsRecentAuthentication,
  refusals: own,
}: Endpoint): Set<string> {
  const hasFields = (schema: z.ZodMiniType) => schema._zod.def.type !== 'undefined';
  const codes: RefusalCode[] = [
    'malformed_request',
    'invalid_input',
    'too_large',
    'unsupported_media_type',
    'not_signed_in',
    'token_expired',
    'session_ended',
    'account_ended',
    ...own,
  ];
  if (access !== 'public') codes.push('not_allowed');
  if (hasFields(params)) codes.push('not_found');
  if (needsRecentAuthentication === true) codes.push('reauthentication_required');
  return new Set(codes);
}

/** Implementation details that no refusal may contain. */
const internals =
  /node_modules|\.tsx?:\d|at (?:async )?\w+ \(|\b(?:select|insert into|update) [\w"*]+|relation "|postgres|kysely|zod|sk_test_|whsec_|ECONN/i;

let sent = 0;
const statuses = new Map<number, number>();

/** The calls of which an input reached the handler. */
const reached = new Set<string>();

const parameters = (url: URL) =>
  Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((name) => {
      const values = url.searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );

/** Whether access control and the parser let a request through to the handler: decided by the contract, not by responses. */
function reachesHandler(endpoint: Endpoint, { sender, path, body, headers }: FuzzRequest): boolean {
  const isEntitled =
    endpoint.access === 'public' || entitledSenders(endpoint).some((entitled) => entitled === sender);
  if (!isEntitled) return false;
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const pattern = new RegExp(`^${endpoint.path.replace(/:\w+/g, '([^/?]+)')}(?:\\?|$)`);
  const given = pattern.exec(path)?.slice(1);
  if (given === undefined) return false;
  const takes = (schema: z.ZodMiniType, read: () => unknown) => {
    try {
      return schema._zod.def.type === 'undefined' || z.safeParse(schema, read()).success;
    } catch {
      // A malformed URL, or a body that is not JSON.
      return false;
    }
  };
  return (
    takes(endpoint.params, () =>
      Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(given[at] ?? '')])),
    ) &&
    takes(endpoint.query, () => parameters(new URL(path, shop.origin))) &&
    takes(endpoint.body, () =>
      headers['content-type'] === 'application/json' ? JSON.parse(body ?? '') : undefined,
    )
  );
}

async function sendAndCheck(request: FuzzRequest): Promise<void> {
  const endpoint = calls.get(request.name);
  if (endpoint === undefined) throw new Error(`There is no call ${request.name}.`);
  if (reachesHandler(endpoint, request)) reached.add(request.name);
  const token = tokens[request.sender];
  const response = await fetch(`${shop.origin}/api${request.path}`, {
    method: request.method,
    headers: { ...request.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(request.body === null || request.method === 'GET' ? {} : { body: request.body.toWellFormed() }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const { status } = response;
  sent += 1;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const summary = `${status} ${text.slice(0, 300)}`;

  if (status === 304) return;
  if (status === 200) {
    const answer = z.safeParse(endpoint.response, JSON.parse(text));
    expect(answer.success, `${request.name} broke its contract: ${summary}`).toBe(true);
    return;
  }
  expect(response.headers.get('content-type'), summary).toContain('application/problem+json');
  expect(response.headers.get('x-content-type-options'), summary).toBe('nosniff');
  const problem = ProblemDocument.parse(JSON.parse(text));
  // A malformed URL may match another endpoint, or none.
  const isOtherPath = !new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/?]+')}(\\?|$)`).test(request.path);
  const allowed = allowedRefusals(endpoint);
  if (isOtherPath || /%(?![0-9a-f]{2})|%[89a-f]|\.|;/i.test(request.path)) allowed.add('not_found');
  expect([...allowed], summary).toContain(problem.code);
  expect(Object.entries(refusals).find(([code]) => code === problem.code)?.[1].status, summary).toBe(status);
  expect(problem.status, summary).toBe(status);
  expect(problem.detail.length, summary).toBeGreaterThan(8);
  expect(`${problem.title} ${problem.detail}`, summary).not.toMatch(internals);
}

testSeeds(
  'every endpoint responds to any input as its contract says, without implementation details',
  seeds,
  async (seed) => {
    for (const [name, endpoint] of calls) {
      const batches = fc.array(requestsTo(name, endpoint, validValues), {
        minLength: CONCURRENCY,
        maxLength: CONCURRENCY,
      });
      await fc.assert(
        fc.asyncProperty(batches, async (batch) => {
          // The limits read each input too, but refuse none.
          await shop.connection.pool.query('delete from rate_limits');
          await Promise.all(batch.map(sendAndCheck));
        }),
        { seed, numRuns: INPUTS / CONCURRENCY },
      );
    }
    const counts = [...statuses].sort(([one], [other]) => one - other);
    process.stdout.write(
      `Fuzzed ${calls.size} calls with ${sent} inputs: ${counts.map(([status, count]) => `${count} × ${status}`).join(', ')}\n`,
    );
    for (const { client } of people) {
      await expect(client.call(listBookings, { query: {} })).resolves.toBeInstanceOf(Array);
    }
  },
  furtherSeeds,
);

test('the inputs reach every handler', ({ skip }) => {
  // After few seeds, not every call was reached.
  if (sent < (seeds.length + furtherSeeds.length) * INPUTS * calls.size) skip();
  // Add valid values of the new fields of a call that is named here.
  expect([...calls.keys()].filter((name) => !reached.has(name))).toEqual([]);
});
