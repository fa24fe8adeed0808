import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/calls.ts';
import * as identityAccount from '#contract/identity/account.ts';
import * as identitySecondFactor from '#contract/identity/second-factor.ts';
import * as identityService from '#contract/identity/service.ts';
import * as identitySignIn from '#contract/identity/sign-in.ts';
import { exchangeToken } from '#contract/people/accounts.ts';
import { type Endpoint, nothing } from '#contract/platform/endpoint.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { type FullShop, startFullShop } from '#tests/harness/operations/full-shop.ts';
import type { Person } from '#tests/harness/operations/shop.ts';
import { type HttpResponse, sendRequest } from '#tests/harness/platform/http-request.ts';
import {
  bodyWith,
  fieldsOf,
  fillString,
  LARGEST,
  LARGEST_AT_IDENTITY,
  SHORT,
  stringShapes,
  valuesOf,
} from './worst-case-values.ts';

/**
 * Each field of each endpoint, of the API and of the identity provider, gets values of the maximum body size, in shapes
 * that make inefficient code slow. The response time is compared with that of a request with the same bytes in an
 * unknown field, so that a busy machine slows down both.
 */

/** Highest allowed ratio of the response times of a worst-case and an ordinary request. */
const MAXIMUM_RATIO = 10;

/** Highest allowed size of a refusal in bytes: it must not grow with the input. */
const MAXIMUM_REFUSAL_BYTES = 8_000;

let shop: FullShop;
let people: Record<'Buyer' | 'Seller' | 'Admin', Person>;
let sessionToken: string;

beforeAll(async () => {
  shop = await startFullShop();
  people = { Buyer: await shop.buyer(), Seller: await shop.seller(), Admin: await shop.admin() };
  const person = { email: 'worst@people.example', password: 'Orchid#7Lantern' };
  const answer = await sendRequest(shop.origin, 'POST', '/identity/sign-up/email', {
    body: JSON.stringify(person),
  });
  ({ sessionToken } = z.object({ sessionToken: z.string() }).parse(JSON.parse(answer.body.toString())));
});
afterAll(() => shop.close());

async function measureTime(
  send: () => Promise<HttpResponse>,
): Promise<{ answer: HttpResponse; milliseconds: number }> {
  const started = performance.now();
  const answer = await send();
  return { answer, milliseconds: performance.now() - started };
}

// Built once: building a megabyte for each field took a tenth of this file's time.
const apiValues = [SHORT, LARGEST].flatMap(valuesOf);
const identityValues = valuesOf(LARGEST_AT_IDENTITY);

/** How often a request that seems too slow is measured: other processes use the machine as well. */
const MAXIMUM_ROUNDS = 15;

/**
 * Compares a request's time with that of an ordinary one.
 * @param known the ordinary request's time in milliseconds, if it was measured before
 */
async function compare(
  send: () => Promise<HttpResponse>,
  sendUsual: () => Promise<HttpResponse>,
  known = Number.POSITIVE_INFINITY,
): Promise<{ answer: HttpResponse; ratio: number; usual: number }> {
  let [fastest, usual] = [Number.POSITIVE_INFINITY, known];
  for (let round = 1; ; round += 1) {
    if (round > 1 || known === Number.POSITIVE_INFINITY) {
      usual = Math.min(usual, (await measureTime(sendUsual)).milliseconds);
    }
    const { answer, milliseconds } = await measureTime(send);
    fastest = Math.min(fastest, milliseconds);
    const ratio = fastest / usual;
    if (ratio < MAXIMUM_RATIO || round === MAXIMUM_ROUNDS) return { answer, ratio, usual };
  }
}

/** Whether a field takes such a value: a long text, or a picture in base64. */
function isAccepted(schema: z.ZodMiniType, [field]: readonly string[], body: string): boolean {
  const { error } = z.safeParse(schema, JSON.parse(body));
  return !error?.issues.some(({ path }) => path[0] === field);
}

/** Sends the worst-case values in each field of a schema that does not accept them. @param values as JSON, the shortest first */
async function sendWorstCases(
  schema: z.ZodMiniType,
  values: readonly string[],
  post: (body: string) => Promise<HttpResponse>,
  expectRefusal: (answer: HttpResponse, path: readonly string[], description: string) => void,
): Promise<void> {
  const usualTimes = new Map<string, number>();
  for (const path of fieldsOf(schema)) {
    for (const value of values) {
      if (isAccepted(schema, path, bodyWith(path, value))) continue;
      const description = `${path.join('.')}: ${value.slice(0, 20)}…, ${value.length} characters`;
      const { answer, ratio, usual } = await compare(
        () => post(bodyWith(path, value)),
        () => post(bodyWith(['unknown'], value)),
        usualTimes.get(value),
      );
      usualTimes.set(value, usual);
      expect(ratio, description).toBeLessThan(MAXIMUM_RATIO);
      expect(answer.body.length, description).toBeLessThan(MAXIMUM_REFUSAL_BYTES);
      expectRefusal(answer, path, description);
    }
  }
}

const withBody = [...calls].filter(([, { body }]) => body._zod.def.type !== 'undefined');

/** Signs somebody in who may make a call. Some calls need a sign-in that is newer than the start of this file. */
async function signInFor({ access }: Endpoint): Promise<string> {
  if (access === 'identity') return shop.issuer.idToken('hostile@people.example');
  const { email } = people[(typeof access === 'string' ? undefined : access[0]) ?? 'Buyer'];
  const proven = shop.client(await shop.issuer.idToken(email));
  return (await proven.call(exchangeToken, { query: { email } })).coomercioToken;
}

test.each(withBody)(
  '%s rejects worst-case input of one megabyte with a field error, in time',
  async (_name, endpoint) => {
    const known: Record<string, string> = {
      ':topic': 'bookings',
      ':email': 'nobody@people.example',
      ':badge': 'verified',
    };
    const path = `/api${endpoint.path.replaceAll(/:\w+/g, (name) => known[name] ?? crypto.randomUUID())}`;
    const headers = { authorization: `Bearer ${await signInFor(endpoint)}` };
    await sendWorstCases(
      endpoint.body,
      apiValues,
      (body) => sendRequest(shop.origin, endpoint.method, path, { headers, body }),
      (answer, [field = ''], description) => {
        expect(answer.status, description).toBe(422);
        const { errors = {} } = ProblemDocument.parse(JSON.parse(answer.body.toString()));
        expect(
          Object.keys(errors).some((key) => key.split('.')[0] === field),
          description,
        ).toBe(true);
      },
    );
  },
);

/** The request body's schema of each identity endpoint that changes something; null for no body. */
const bodies = Object.fromEntries(
  [identitySignIn, identityAccount, identitySecondFactor, identityService]
    .flatMap((module) => Object.values(module))
    .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
    .map(({ method, path, body }): [string, z.ZodMiniType | null] => [
      `${method} ${path}`,
      body === nothing ? null : body,
    ]),
);

test('every endpoint of the identity provider that takes a body is listed', () => {
  const withBodies = shop.routes
    .filter(({ method, url }) => ['POST', 'PUT', 'PATCH'].includes(method) && url.startsWith('/identity/'))
    .map(({ method, url }) => `${method} ${url.slice('/identity'.length)}`);
  expect(Object.keys(bodies).sort()).toEqual(withBodies.sort());
});

const bodySchemas = Object.entries(bodies).flatMap(([name, schema]) =>
  schema === null ? [] : [[name, schema] as const],
);

test.each(bodySchemas)(
  '%s of the identity provider rejects worst-case input in time',
  async (name, schema) => {
    const [method = '', path = ''] = name.split(' ');
    const bearer = path.startsWith('/admin/') ? 'the shop itself' : sessionToken;
    const url = `/identity${path.replace(':id', 'x')}`;
    const headers =
      path.startsWith('/sign-') && path !== '/sign-in/again' ? {} : { authorization: `Bearer ${bearer}` };
    await sendWorstCases(
      schema,
      identityValues,
      (body) => sendRequest(shop.origin, method, url, { headers, body }),
      ({ status }, _path, description) => expect([401, 422], description).toContain(status),
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

test('a long value in any header takes no longer than in an unknown header', async () => {
  const asset = shop.routes.find(({ url }) => url.startsWith('/assets/'))?.url ?? '';
  const requests = [
    ['GET', '/'],
    ['GET', asset],
    ['GET', '/api/category/HP'],
    ['POST', '/api/bookings'],
    ['POST', '/webhooks/stripe'],
    ['GET', '/identity/token'],
    ['GET', '/identity/callback/google'],
  ] as const;
  for (const [method, path] of requests) {
    for (const name of headerNames) {
      for (const shape of stringShapes.slice(0, 4)) {
        const value = fillString(shape, 7_000);
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
});
