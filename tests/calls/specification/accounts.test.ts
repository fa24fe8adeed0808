import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import { anyText, type Send, type SpecificationShop, startSpecificationShop } from './shop.ts';

let shop: TestShop;
let people: SpecificationShop['people'];
let send: Send;
beforeAll(async () => {
  ({ shop, people, send } = await startSpecificationShop());
});
afterAll(() => shop.close());

describe('roles, tokens and users', () => {
  test.each([
    ['admin', 'isAdmin'],
    ['buyer', 'isBuyer'],
    ['seller', 'isSeller'],
  ] as const)('GET /users/%s/{email} answers %s', async (role, field) => {
    for (const [name, { email }] of Object.entries(people)) {
      const answer = await send(`GET /users/${role}/${email}`, people.admin.token);
      expect(answer, name).toEqual({ [field]: name === role });
    }
  });

  test('GET /jwt?email={email} answers coomercioToken', async () => {
    const { email } = people.buyer;
    const answer = await send(`GET /jwt?email=${email}`, await shop.issuer.idToken(email));
    expect(answer).toEqual({ coomercioToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
  });

  test('POST /users takes name, email, role and status, and believes no status', async () => {
    const email = 'newcomer@people.example';
    const body = { name: 'Nia Newcomer', email, role: 'Seller', status: true };
    const answer = await send('POST /users', await shop.issuer.idToken(email), body);
    expect(answer).toEqual({ acknowledged: true, insertedId: anyText });
    expect(await send(`GET /sellers/${email}`, people.buyer.token)).toEqual({ status: false });
  });
});

describe('sellers and buyers', () => {
  test('GET /sellers/{email} answers status', async () => {
    const answer = await send(`GET /sellers/${people.seller.email}`, people.buyer.token);
    expect(answer).toEqual({ status: false });
  });

  test('GET /sellers answers a list of _id, name, email and status', async () => {
    const { email, userId, name } = people.seller;
    const sellers = await send('GET /sellers', people.admin.token);
    const checks = { verifiedAt: null, address: null, identity: null, phone: null };
    expect(sellers).toContainEqual({
      _id: userId,
      name,
      email,
      emailVerified: true,
      status: false,
      checks,
      documents: { address: null, identity: null },
      openReports: 0,
      phone: null,
    });
  });

  test('PUT /sellers/{email} without a body answers modifiedCount', async () => {
    const { email } = await shop.seller();
    const answer = await send(`PUT /sellers/${email}`, people.admin.token);
    expect(answer).toEqual({ acknowledged: true, modifiedCount: 1 });
  });

  test('DELETE /sellers/{id} answers deletedCount', async () => {
    const { userId } = await shop.seller();
    const answer = await send(`DELETE /sellers/${userId}`, people.admin.token);
    expect(answer).toEqual({ acknowledged: true, deletedCount: 1 });
  });

  test('GET /buyers answers a list of _id, name and email', async () => {
    const { email, userId, name } = people.buyer;
    const buyers = await send('GET /buyers', people.admin.token);
    expect(buyers).toContainEqual({ _id: userId, name, email, emailVerified: true });
  });

  test('DELETE /buyers/{id} answers deletedCount', async () => {
    const { userId } = await shop.buyer();
    const answer = await send(`DELETE /buyers/${userId}`, people.admin.token);
    expect(answer).toEqual({ acknowledged: true, deletedCount: 1 });
  });
});
