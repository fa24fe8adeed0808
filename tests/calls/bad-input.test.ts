import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/calls.ts';
import { deleteLaptopDraft } from '#contract/certification/laptop-drafts.ts';
import { deleteSavedSearch } from '#contract/listings/saved-searches.ts';
import { removeWish } from '#contract/listings/wishlist.ts';
import { unsubscribeFromPush } from '#contract/people/notifications.ts';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let people: Record<'Buyer' | 'Seller' | 'Admin', Person>;
let bookingId: string;
let laptopId: string;

beforeAll(async () => {
  shop = await startTestShop();
  people = { Buyer: await shop.buyer(), Seller: await shop.seller(), Admin: await shop.admin() };
  laptopId = await shop.laptop(people.Seller);
  bookingId = await shop.booking(people.Buyer, laptopId);
});
afterAll(() => shop.close());

/** Returns a token that may make the call, so that only the input is refused. */
async function tokenFor({ access }: Endpoint): Promise<string> {
  if (access === 'identity') return shop.issuer.idToken('hostile@people.example');
  return people[access === 'public' || access === 'signed-in' ? 'Buyer' : (access[0] ?? 'Buyer')].token;
}

async function send(endpoint: Endpoint, path: string, body?: string, type = 'application/json') {
  const response = await fetch(`${shop.origin}/api${path}`, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${await tokenFor(endpoint)}`,
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** Counts the rows of each table. */
async function rows(): Promise<unknown> {
  const { rows: counts } = await shop.connection.pool.query(
    `select (select count(*) from users) users, (select count(*) from laptops) laptops,
            (select count(*) from bookings) bookings, (select count(*) from wishlist_items) wishes,
            (select count(*) from payment_intents) intents, (select count(*) from orders) orders`,
  );
  return counts;
}

/** Expects a refusal with status 4xx, a sentence, and no implementation details. */
function expectRefusal(
  { status, type, text }: { status: number; type: string | null; text: string },
  said: string,
) {
  expect(status, `${said}: ${text}`).toBeGreaterThanOrEqual(400);
  expect(status, `${said}: ${text}`).toBeLessThan(500);
  expect(type, said).toContain('application/problem+json');
  const problem = ProblemDocument.parse(JSON.parse(text));
  expect(problem.detail, said).toMatch(/^[A-Z“"].{8,}[.!?]$/);
  expect(text, said).not.toMatch(/node_modules|\.ts:|select |insert |zod|postgres/i);
}

const named = [...calls];
const withBody = named.filter(([, { body }]) => body._zod.def.type !== 'undefined');
const withQuery = named.filter(([, { query }]) => query._zod.def.type !== 'undefined');
const withParams = named.filter(([, { params }]) => params._zod.def.type !== 'undefined');

const wellFormed = (path: string) =>
  path.replace(':email', 'nobody@people.example').replace(':_id', bookingId).replace(':id', 'HP');

const fieldsOf = (endpoint: Endpoint) =>
  'shape' in endpoint.body._zod.def
    ? Object.keys(z.record(z.string(), z.unknown()).parse(endpoint.body._zod.def.shape))
    : [];

/** Returns a valid body with some fields replaced. */
function bodyOf(endpoint: Endpoint, overrides: Record<string, unknown>) {
  const good: Record<string, unknown> = {
    name: 'Name',
    email: 'hostile@people.example',
    role: 'Buyer',
    category_Id: 'HP',
    location: 'Lisbon',
    image: `${shop.origin}/photos/x`,
    description: 'Works.',
    original_price: 900,
    resale_price: 300,
    use_time: '1 year',
    mobile_number: '912345678',
    condition: 'Good',
    price: 549.99,
    phone: '912345678',
    productCode: laptopId,
    bookingId,
    transactionId: 'pi_unknown',
  };
  return JSON.stringify(
    Object.fromEntries(fieldsOf(endpoint).map((field) => [field, overrides[field] ?? good[field]])),
  );
}

test('the contract has calls with a body, a query and parameters', () => {
  expect([withBody.length, withQuery.length, withParams.length].every((count) => count >= 6)).toBe(true);
});

describe.each(withBody)('%s', (_name, endpoint) => {
  test('rejects bodies that are not a JSON object', async () => {
    const before = await rows();
    const bodies = ['null', '[]', '"text"', '1', '', '{', '{"a":', '\u0000', '{"__proto__":{"x":1}}', '[[[['];
    for (const body of bodies) expectRefusal(await send(endpoint, wellFormed(endpoint.path), body), body);
    expect(await rows()).toEqual(before);
  });

  test('rejects other content types and bodies over 1 MB', async () => {
    const path = wellFormed(endpoint.path);
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ]) {
      const answer = await send(endpoint, path, bodyOf(endpoint, {}), type);
      expectRefusal(answer, type);
      expect(answer.status, type).toBe(415);
    }
    const large = await send(endpoint, path, JSON.stringify({ name: 'x'.repeat(1024 * 1024) }));
    expectRefusal(large, 'large');
    expect(large.status).toBe(413);
  });

  test('rejects wrong types and NUL bytes in each field', async () => {
    const before = await rows();
    for (const field of fieldsOf(endpoint)) {
      // The only boolean field; it is ignored.
      const wrong = field === 'status' ? 'true' : true;
      for (const value of [wrong, ['x'], { $ne: null }]) {
        const answer = await send(endpoint, wellFormed(endpoint.path), bodyOf(endpoint, { [field]: value }));
        expectRefusal(answer, `${field} ${JSON.stringify(value)}`);
      }
      const withNul = await send(
        endpoint,
        wellFormed(endpoint.path),
        bodyOf(endpoint, { [field]: 'a\u0000b' }),
      );
      expectRefusal(withNul, `${field} with NUL`);
    }
    expect(await rows()).toEqual(before);
  });
});

const nilId = '00000000-0000-0000-0000-000000000000';
const hostileIds = [
  '0',
  '-1',
  'null',
  'undefined',
  '%00',
  '%2e%2e%2f',
  "'%20or%201=1--",
  '507f1f77bcf86cd799439011',
  'x'.repeat(250),
  nilId,
  '%F0%9F%92%BB',
  '{"$gt":""}',
];

test.each(withParams)('%s rejects malformed path parameters', async (_name, endpoint) => {
  const before = await rows();
  for (const id of hostileIds) {
    // Well-formed, and names nothing: removing nothing is no error.
    if (
      id === nilId &&
      [removeWish, deleteSavedSearch, deleteLaptopDraft, unsubscribeFromPush].some(
        (each) => each === endpoint,
      )
    )
      continue;
    const path = endpoint.path.replace(/:\w+/, encodeURI(id).replaceAll('%25', '%'));
    expectRefusal(await send(endpoint, path), id);
  }
  expect(await rows()).toEqual(before);
});

test.each(withQuery)('%s rejects malformed queries', async (_name, endpoint) => {
  const isList = 'shape' in endpoint.query._zod.def && 'limit' in Object(endpoint.query._zod.def.shape);
  const queries = isList
    ? [
        'limit=0',
        'limit=-1',
        'limit=1e9',
        'limit=x',
        'limit=101',
        'cursor=%00',
        'cursor=x',
        'cursor=-5',
        `cursor=${'9'.repeat(30)}`,
      ]
    : ['email=', 'email=x', 'email=a%00b@c.de', 'email=a@b.c&email=d@e.f', ''];
  for (const query of queries) {
    expectRefusal(await send(endpoint, `${wellFormed(endpoint.path)}?${query}`), query);
  }
});

test('unknown calls and malformed URLs get a problem document', async () => {
  for (const path of ['/nothing', '/category', '/category/HP/x', '/%', '/brands/%zz']) {
    const response = await fetch(`${shop.origin}/api${path}`);
    expectRefusal(
      { status: response.status, type: response.headers.get('content-type'), text: await response.text() },
      path,
    );
  }
});
