import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listBookings } from '#contract/bookings.ts';
import { calls } from '#contract/calls.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ProblemDocument, type RefusalCode, refusals } from '#contract/refusals.ts';
import { wish } from '#contract/wishlist.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { type Attempt, attemptsAt, type Bearer, type Fitting } from './fuzz/inputs.ts';

/** How long inputs are sent, in milliseconds: a while in every test run, much longer when asked to. */
const DURATION = process.env.TORTURE === '1' ? 300_000 : 15_000;

/** How many are under way at once. */
const TOGETHER = 6;

/** An answer that takes longer than this hangs. In milliseconds. */
const HANG = 10_000;

let shop: TestShop;
let tokens: Record<Bearer, string | null>;
let fitting: Fitting;
let people: Person[];

beforeAll(async () => {
  shop = await startTestShop();
  const [buyer, seller, admin] = [await shop.buyer(), await shop.seller(), await shop.admin()];
  people = [buyer, seller, admin];
  // Whom and what the inputs may name: what is ended or deleted is not what makes the calls.
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
  const ids = [...laptops, ...bookings, ...wishes.map(({ insertedId }) => insertedId ?? ''), victim.userId];
  const photo = `${shop.origin}/photos/${'a'.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`;
  fitting = {
    _id: ids,
    id: ['HP', 'Dell', 'Acer', 'hp'],
    email: [victim.email, trader.email, proven, proven.toUpperCase()],
    productCode: laptops,
    bookingId: bookings,
    price: [549.99, '549.99'],
    original_price: [1299, '549.99'],
    resale_price: [549.99, '1'],
    category_Id: ['HP', 'Dell'],
    image: [photo],
    images: [[photo], [photo, photo.replace('photos/a', 'photos/b')]],
    mobile_number: ['+351 912 345 678', 912345678],
    phone: ['+351 912 345 678'],
    location: ['Lisbon'],
    name: ['A name'],
    description: ['Works.'],
    use_time: ['2 years'],
    transactionId: ['pi_unknown'],
    limit: ['1', '100'],
    cursor: ['1', '24'],
    note: ['Not as described.'],
  };
}, 60_000);
afterAll(() => shop.close());

/** The refusals that a call may answer beside its own: those of its access and of what it is given. */
function understood({ access, params, fresh, refusals: own }: Endpoint): Set<string> {
  const takes = (schema: z.ZodMiniType) => schema._zod.def.type !== 'undefined';
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
  if (takes(params)) codes.push('not_found');
  if (fresh === true) codes.push('reauthentication_required');
  return new Set(codes);
}

/** What must never leave the shop in a refusal. */
const inside =
  /node_modules|\.tsx?:\d|at (?:async )?\w+ \(|\b(?:select|insert into|update) [\w"*]+|relation "|postgres|kysely|zod|sk_test_|whsec_|ECONN/i;

let sent = 0;
const statuses = new Map<number, number>();
const answered = new Map<string, number>();

async function tryOut(attempt: Attempt): Promise<void> {
  const endpoint = calls.get(attempt.name);
  if (endpoint === undefined) throw new Error(`There is no call ${attempt.name}.`);
  const token = tokens[attempt.bearer];
  const response = await fetch(`${shop.origin}/api${attempt.path}`, {
    method: attempt.method,
    headers: { ...attempt.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(attempt.body === null || attempt.method === 'GET' ? {} : { body: attempt.body.toWellFormed() }),
    redirect: 'manual',
    signal: AbortSignal.timeout(HANG),
  });
  const text = await response.text();
  const { status } = response;
  sent += 1;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const said = `${status} ${text.slice(0, 300)}`;

  if (status === 304) return;
  if (status === 200) {
    answered.set(attempt.name, (answered.get(attempt.name) ?? 0) + 1);
    const answer = z.safeParse(endpoint.answer, JSON.parse(text));
    expect(answer.success, `not what ${attempt.name} says it answers: ${said}`).toBe(true);
    return;
  }
  expect(response.headers.get('content-type'), said).toContain('application/problem+json');
  expect(response.headers.get('x-content-type-options'), said).toBe('nosniff');
  const problem = ProblemDocument.parse(JSON.parse(text));
  // A broken address names another call, or none.
  const elsewhere = !new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/?]+')}(\\?|$)`).test(attempt.path);
  const allowed = understood(endpoint);
  if (elsewhere || /%(?![0-9a-f]{2})|%[89a-f]|\.|;/i.test(attempt.path)) allowed.add('not_found');
  expect([...allowed], said).toContain(problem.code);
  expect(Object.entries(refusals).find(([code]) => code === problem.code)?.[1].status, said).toBe(status);
  expect(problem.status, said).toBe(status);
  expect(problem.detail.length, said).toBeGreaterThan(8);
  expect(`${problem.title} ${problem.detail}`, said).not.toMatch(inside);
}

test(
  'every call answers whatever it is sent as its contract says, at once, and tells nothing of its inside',
  async () => {
    const attempts = fc.oneof(...[...calls].map(([name, endpoint]) => attemptsAt(name, endpoint, fitting)));
    const all = fc.array(attempts, { minLength: TOGETHER, maxLength: TOGETHER });
    await fc.assert(
      fc.asyncProperty(all, async (together) => {
        await Promise.all(together.map(tryOut));
      }),
      {
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: DURATION,
        markInterruptAsFailure: false,
      },
    );
    const counts = [...statuses].sort(([one], [other]) => one - other);
    process.stdout.write(
      `Fuzzed ${calls.size} calls with ${sent} inputs: ${counts.map(([status, count]) => `${count} × ${status}`).join(', ')}\n`,
    );
    expect(sent).toBeGreaterThan(300);
    // An input that nothing lets in would prove little: most calls are to be reached to their end.
    expect(answered.size).toBeGreaterThan(calls.size / 2);
    for (const { client } of people) {
      await expect(client.call(listBookings, { query: {} })).resolves.toBeInstanceOf(Array);
    }
  },
  DURATION + 60_000,
);
