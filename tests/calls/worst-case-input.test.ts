import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/calls.ts';
import { type Endpoint, nothing } from '#contract/endpoint.ts';
import * as identity from '#contract/identity.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import { type FullShop, startFullShop } from '#tests/harness/full-shop.ts';
import { type HttpResponse, sendRequest } from '#tests/harness/http-request.ts';

/**
 * The worst that fits: each field of each call and of each endpoint of the identity provider gets a value as large as
 * the body may be, in shapes that make careless code slow. Its time is compared with that of a request of the same
 * bytes, to the same address, under a name that no schema knows, so that a busy machine slows down both.
 */

/** A little less than the body limit of the calls (1 MB) and of the identity provider (16 kB), in characters. */
const LARGEST = 1_000_000;
const LARGEST_AT_IDENTITY = 15_000;

/** Asked first: what is quadratic shows at this length already, and would not be done with a megabyte. */
const SHORT = 15_000;

/** How many times the usual time of a request a hostile one may take. */
const MAXIMUM_RATIO = 10;

/** The longest refusal, in bytes: it must not grow with what is refused. */
const MAXIMUM_ANSWER = 8_000;

/** What a text begins with, repeats and ends with. */
const texts: readonly (readonly [string, string, string])[] = [
  ['', 'a', ''],
  ['', 'a.', '@'],
  ['a@', '.', '@'],
  ['', '@', ''],
  ['', 'a@a.a ', ''],
  ['x', ' ', 'x'],
  ['', '-', ''],
  ['+', '0', 'x'],
];

/** The same for values that are no text, as JSON. */
const structures: readonly (readonly [string, string, string])[] = [
  ['[', '0,', '0]'],
  ['[', '{},', '{}]'],
];

const filled = ([start, part, end]: readonly [string, string, string], length: number) =>
  start + part.repeat(Math.floor((length - start.length - end.length) / part.length)) + end;

const valuesOf = (length: number): string[] => [
  ...texts.map((text) => JSON.stringify(filled(text, length))),
  ...(length > SHORT ? structures.map((structure) => filled(structure, length)) : []),
];

const Shape = z.looseObject({
  properties: z.optional(z.record(z.string(), z.unknown())),
  anyOf: z.optional(z.array(z.unknown())),
});

/** The fields that a schema reads, nested ones by their whole path. */
function fieldsOf(schema: z.ZodMiniType): string[][] {
  const walk = (shape: unknown): string[][] => {
    const { properties = {}, anyOf = [] } = Shape.parse(shape);
    const inner = Object.entries(properties).flatMap(([name, each]) =>
      [[], ...walk(each)].map((path) => [name, ...path]),
    );
    return [...inner, ...anyOf.flatMap(walk)];
  };
  return walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** A body with nothing but one field in it. @param value as JSON */
const bodyWith = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value);

let shop: FullShop;
let tokens: Record<'identity' | 'signed-in' | 'Buyer' | 'Seller' | 'Admin', string>;
let sessionToken: string;

beforeAll(async () => {
  shop = await startFullShop();
  const [buyer, seller, admin] = [await shop.buyer(), await shop.seller(), await shop.admin()];
  tokens = {
    identity: await shop.issuer.idToken('hostile@people.example'),
    'signed-in': buyer.token,
    Buyer: buyer.token,
    Seller: seller.token,
    Admin: admin.token,
  };
  const person = { email: 'worst@people.example', password: 'Orchid#7Lantern' };
  const answer = await sendRequest(shop.origin, 'POST', '/identity/sign-up/email', {
    body: JSON.stringify(person),
  });
  ({ sessionToken } = z.object({ sessionToken: z.string() }).parse(JSON.parse(answer.body.toString())));
}, 60_000);
afterAll(() => shop.close());

async function timed(
  send: () => Promise<HttpResponse>,
): Promise<{ answer: HttpResponse; milliseconds: number }> {
  const started = performance.now();
  const answer = await send();
  return { answer, milliseconds: performance.now() - started };
}

/** How often a request that seems too slow is measured again: others use the machine, too. */
const MAXIMUM_ROUNDS = 15;

/** The answer to a request, and how many times as long as usual it takes. @param known the usual time, where it is known */
async function compare(
  send: () => Promise<HttpResponse>,
  sendUsual: () => Promise<HttpResponse>,
  known = Number.POSITIVE_INFINITY,
): Promise<{ answer: HttpResponse; ratio: number; usual: number }> {
  let [fastest, usual] = [Number.POSITIVE_INFINITY, known];
  for (let round = 1; ; round += 1) {
    if (round > 1 || known === Number.POSITIVE_INFINITY) {
      usual = Math.min(usual, (await timed(sendUsual)).milliseconds);
    }
    const { answer, milliseconds } = await timed(send);
    fastest = Math.min(fastest, milliseconds);
    const ratio = fastest / usual;
    if (ratio < MAXIMUM_RATIO || round === MAXIMUM_ROUNDS) return { answer, ratio, usual };
  }
}

/** Sends each field of a schema its worst values. @param lengths the shorter ones first */
async function attack(
  schema: z.ZodMiniType,
  lengths: readonly number[],
  post: (body: string) => Promise<HttpResponse>,
  expectRefusal: (answer: HttpResponse, path: readonly string[], said: string) => void,
): Promise<void> {
  const usualTimes = new Map<string, number>();
  for (const path of fieldsOf(schema)) {
    for (const value of lengths.flatMap(valuesOf)) {
      const said = `${path.join('.')}: ${value.slice(0, 20)}…, ${value.length} characters`;
      const { answer, ratio, usual } = await compare(
        () => post(bodyWith(path, value)),
        () => post(bodyWith(['unknown'], value)),
        usualTimes.get(value),
      );
      usualTimes.set(value, usual);
      expect(ratio, said).toBeLessThan(MAXIMUM_RATIO);
      expect(answer.body.length, said).toBeLessThan(MAXIMUM_ANSWER);
      expectRefusal(answer, path, said);
    }
  }
}

const withBody = [...calls].filter(([, { body }]) => body._zod.def.type !== 'undefined');
const tokenFor = ({ access }: Endpoint) =>
  tokens[access === 'public' ? 'Buyer' : typeof access === 'string' ? access : (access[0] ?? 'Buyer')];

test.each(withBody)(
  '%s refuses its worst megabyte for what it is, and at once',
  async (_name, endpoint) => {
    const path = `/api${endpoint.path.replace(/:\w+/, crypto.randomUUID())}`;
    const headers = { authorization: `Bearer ${tokenFor(endpoint)}` };
    await attack(
      endpoint.body,
      [SHORT, LARGEST],
      (body) => sendRequest(shop.origin, endpoint.method, path, { headers, body }),
      (answer, [field = ''], said) => {
        expect(answer.status, said).toBe(422);
        const { errors = {} } = ProblemDocument.parse(JSON.parse(answer.body.toString()));
        expect(
          Object.keys(errors).some((key) => key.split('.')[0] === field),
          said,
        ).toBe(true);
      },
    );
  },
  60_000,
);

/** The request body's schema of each identity endpoint that changes something; null for no body. */
const bodies = Object.fromEntries(
  Object.values(identity).flatMap((exported): [string, z.ZodMiniType | null][] =>
    typeof exported === 'object' && 'access' in exported && !['GET', 'DELETE'].includes(exported.method)
      ? [[`${exported.method} ${exported.path}`, exported.body === nothing ? null : exported.body]]
      : [],
  ),
);

test('of every endpoint of the identity provider it is known what it reads', () => {
  const taking = shop.routes
    .filter(({ method, url }) => ['POST', 'PUT', 'PATCH'].includes(method) && url.startsWith('/identity/'))
    .map(({ method, url }) => `${method} ${url.slice('/identity'.length)}`);
  expect(Object.keys(bodies).sort()).toEqual(taking.sort());
});

const reading = Object.entries(bodies).flatMap(([name, schema]) =>
  schema === null ? [] : [[name, schema] as const],
);

test.each(reading)(
  '%s of the identity provider refuses the most that it takes at once',
  async (name, schema) => {
    const [method = '', path = ''] = name.split(' ');
    const bearer = path.startsWith('/admin/') ? 'the shop itself' : sessionToken;
    const url = `/identity${path.replace(':id', 'x')}`;
    const headers =
      path.startsWith('/sign-') && path !== '/sign-in/again' ? {} : { authorization: `Bearer ${bearer}` };
    await attack(
      schema,
      [LARGEST_AT_IDENTITY],
      (body) => sendRequest(shop.origin, method, url, { headers, body }),
      ({ status }, _path, said) => expect([401, 422], said).toContain(status),
    );
    const tooLarge = await sendRequest(shop.origin, method, url, {
      body: `{"x":"${'x'.repeat(20_000)}"}`,
      fresh: true,
    });
    expect(tooLarge.status).toBe(413);
  },
  30_000,
);

const headerNames = [
  'authorization',
  'cookie',
  'if-none-match',
  'accept',
  'accept-encoding',
  'user-agent',
  'range',
  'content-type',
  'x-forwarded-for',
  'origin',
  'stripe-signature',
  'idempotency-key',
];

test('a header of any kind costs no more than one that nobody reads', async () => {
  const asset = shop.routes.find(({ url }) => url.startsWith('/assets/'))?.url ?? '';
  const places = [
    ['GET', '/'],
    ['GET', asset],
    ['GET', '/api/category/HP'],
    ['POST', '/api/bookings'],
    ['POST', '/webhooks/stripe'],
    ['GET', '/identity/token'],
    ['GET', '/identity/callback/google'],
  ] as const;
  for (const [method, path] of places) {
    for (const name of headerNames) {
      for (const text of texts.slice(0, 4)) {
        const value = filled(text, 7_000);
        const send = (header: string, prefix = '') =>
          sendRequest(shop.origin, method, path, {
            headers: { [header]: prefix + value },
            ...(method === 'POST' && { body: '{}' }),
          });
        const { answer, ratio } = await compare(
          () => send(name, name === 'authorization' ? 'Bearer ' : ''),
          () => send('x-unknown'),
        );
        expect(ratio, `${method} ${path} with ${name}: ${value.slice(0, 20)}…`).toBeLessThan(MAXIMUM_RATIO);
        expect(answer.status).toBeLessThan(500);
      }
    }
  }
}, 60_000);
