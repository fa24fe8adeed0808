import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Role } from '#contract/scalars.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;
let people: Record<Role | 'ended', Person>;

beforeAll(async () => {
  shop = await startTestShop();
  people = {
    Buyer: await shop.buyer(),
    Seller: await shop.seller(),
    Admin: await shop.admin(),
    ended: await shop.buyer(),
  };
  await shop.connection.database
    .updateTable('users')
    .set({ ended_at: new Date() })
    .where('id', '=', people.ended.userId)
    .execute();
});
afterAll(() => shop.close());

async function statusOf({ method, path }: Endpoint, token: string | null): Promise<number> {
  const address = path.replace(':email', 'nobody@people.example').replace(/:\w+/, crypto.randomUUID());
  const response = await fetch(`${shop.origin}/api${address}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(method === 'POST' && { body: '{}' }),
  });
  return response.status;
}

const guarded = [...calls].filter(([, { access }]) => access !== 'public');
const byRole = [...calls].filter(([, { access }]) => typeof access !== 'string');

test.each(guarded)(
  '%s is closed without a token, and with one that is forged or of an ended account',
  async (_name, endpoint) => {
    expect(await statusOf(endpoint, null)).toBe(401);
    expect(await statusOf(endpoint, 'forged')).toBe(401);
    const { token } = people.ended;
    const identity = endpoint.access === 'identity';
    expect(await statusOf(endpoint, token)).toBe(identity ? 401 : 403);
  },
);

test.each(byRole)('%s is closed to every other role', async (_name, endpoint) => {
  for (const role of ['Buyer', 'Seller', 'Admin'] as const) {
    const status = await statusOf(endpoint, people[role].token);
    const open = typeof endpoint.access !== 'string' && endpoint.access.includes(role);
    if (open) expect(status, role).not.toBe(403);
    else expect(status, role).toBe(403);
  }
});

test('every call of the contract is served, and each that asks for more than nobody says who may', async () => {
  expect(guarded.length).toBeGreaterThan(15);
  for (const [name, endpoint] of calls) {
    const { Buyer, Seller, Admin } = people;
    const holder = [Buyer, Seller, Admin].map(({ token }) => statusOf(endpoint, token));
    const statuses = await Promise.all(holder);
    expect(statuses, name).not.toContain(405);
    expect(statuses, name).not.toContain(500);
  }
});
