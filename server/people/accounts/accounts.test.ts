import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { listCategory } from '#contract/listings/catalogue.ts';
import { listBuyers, listSellers } from '#contract/operations/user-admin.ts';
import * as contract from '#contract/people/accounts.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { createTokens } from './tokens.ts';

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

const newcomer = () => `newcomer.${Math.random().toString(36).slice(2)}@people.example`;

describe('POST /users', () => {
  test('creates the user of a verified identity once; a known email keeps its record and role', async () => {
    const email = newcomer();
    const client = shop.client(await shop.issuer.idToken(email));
    const first = await client.call(contract.registerUser, {
      body: { name: 'Nia', email, role: 'Seller', status: false },
    });
    expect(first).toMatchObject({ acknowledged: true, insertedId: expect.any(String) });

    const again = await client.call(contract.registerUser, { body: { name: 'Nia', email, role: 'Buyer' } });
    expect(again).toEqual({ acknowledged: false, message: 'User already sign in' });
    const { coomercioToken } = await client.call(contract.exchangeToken, { query: { email } });
    const asked = await shop.client(coomercioToken).call(contract.isSeller, { params: { email } });
    expect(asked).toEqual({ isSeller: true });
  });

  test('never creates an admin', async () => {
    const email = newcomer();
    const response = await fetch(`${shop.origin}/api/users`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await shop.issuer.idToken(email)}`,
      },
      body: JSON.stringify({ name: 'Nia', email, role: 'Admin' }),
    });
    expect(response.status).toBe(422);
  });

  test('rejects the email of another user', async () => {
    const client = shop.client(await shop.issuer.idToken(newcomer()));
    await expect(
      client.call(contract.registerUser, { body: { name: 'Nia', email: newcomer(), role: 'Buyer' } }),
    ).rejects.toMatchObject({ status: 403 });
  });
});

describe('GET /jwt', () => {
  test('an address stays confirmed when an older ID token is exchanged, and not when the provider takes it back', async () => {
    const person = await shop.buyer('Vera Known', { email_verified: false });
    const issuedAt = Math.floor(Date.now() / 1000);
    const exchange = async (email_verified: boolean, iat: number) => {
      const client = shop.client(await shop.issuer.idToken(person.email, { email_verified, iat }));
      await client.call(contract.exchangeToken, { query: { email: person.email } });
      const { rows } = await shop.connection.pool.query('select email_verified from users where id = $1', [
        person.userId,
      ]);
      return rows[0]?.email_verified;
    };
    expect(await exchange(true, issuedAt)).toBe(true);
    expect(await exchange(false, issuedAt - 1)).toBe(true);
    expect(await exchange(false, issuedAt + 1)).toBe(false);
  });

  test('rejects an email that differs from the ID token’s, and one without a user record, with an empty token', async () => {
    const [mine, other] = [newcomer(), newcomer()];
    const authorization = `Bearer ${await shop.issuer.idToken(mine)}`;
    for (const email of [mine, other]) {
      const response = await fetch(`${shop.origin}/api/jwt?email=${email}`, { headers: { authorization } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ coomercioToken: '', code: 'not_allowed' });
    }
  });

  test('accepts only unexpired ID tokens with this shop as audience, signed with a published key of the issuer', async () => {
    const { email } = await shop.buyer();
    const tokens = {
      forged: await shop.issuer.forgedIdToken(email),
      expired: await shop.issuer.idToken(email, { exp: Math.floor(Date.now() / 1000) - 60 }),
      'for another audience': await shop.issuer.idToken(email, { aud: 'another-shop' }),
      'of another issuer': await shop.issuer.idToken(email, { iss: 'https://elsewhere.example' }),
      garbage: 'not.a.token',
    };
    for (const [name, token] of Object.entries(tokens)) {
      const asked = shop.client(token).call(contract.exchangeToken, { query: { email } });
      await expect(asked, name).rejects.toMatchObject({ status: 401 });
    }
  });
});

describe('a token of the shop', () => {
  test('is rejected when it is an ID token, is signed with another secret, or has expired', async () => {
    const { email, userId } = await shop.buyer();
    const elsewhere = createTokens(new Uint8Array(32).fill(8));
    for (const token of [await shop.issuer.idToken(email), await elsewhere.sign(userId), 'x']) {
      await expect(shop.client(token).call(listBookings, { query: {} })).rejects.toMatchObject({
        status: 401,
      });
    }
  });

  test('is accepted when it is signed with the current or the previous secret, and with no other', async () => {
    const [older, newer, stranger] = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill));
    if (older === undefined || newer === undefined || stranger === undefined) throw new Error('No secrets.');
    const both = createTokens(newer, older);
    const proof = { secondFactor: true, authenticatedAt: 1.7e9, expiresAt: 9e9, sessionId: 'desk' };
    for (const secret of [older, newer]) {
      expect(await both.verify(await createTokens(secret).sign('user', proof))).toEqual({
        userId: 'user',
        secondFactor: true,
        authenticatedAt: 1.7e9,
        expiresAt: expect.any(Number),
        sessionId: 'desk',
      });
    }
    expect(await both.verify(await createTokens(stranger).sign('user'))).toBe('forged');
    expect(await createTokens(newer).verify(await createTokens(older).sign('user'))).toBe('forged');
    expect(await createTokens(older).verify(await both.sign('user'))).toBe('forged');
  });

  test('expires no later than the ID token it was issued for', async () => {
    const { email } = await shop.buyer();
    const soon = Math.floor(Date.now() / 1000) + 90;
    const exchanged = shop.client(await shop.issuer.idToken(email, { exp: soon }));
    const { coomercioToken } = await exchanged.call(contract.exchangeToken, { query: { email } });
    expect(decodeJwt(coomercioToken).exp).toBe(soon);
  });

  test('stops working when its account ends, and signing in reports a disabled account', async () => {
    const buyer = await shop.buyer();
    await shop.connection.database
      .updateTable('users')
      .set({ ended_at: new Date() })
      .where('id', '=', buyer.userId)
      .execute();
    await expect(buyer.client.call(listBookings, { query: {} })).rejects.toMatchObject({
      code: 'account_ended',
    });
    const again = shop
      .client(await shop.issuer.idToken(buyer.email))
      .call(contract.exchangeToken, { query: { email: buyer.email } });
    await expect(again).rejects.toMatchObject({
      code: 'account_ended',
      message: expect.stringContaining('disabled'),
    });
  });
});

describe('role look-ups', () => {
  test('return the caller’s own role, or any user’s role to an admin', async () => {
    const [buyer, seller, admin] = [await shop.buyer(), await shop.seller(), await shop.admin()];
    const roles = async (asking: typeof buyer, email: string) => ({
      ...(await asking.client.call(contract.isBuyer, { params: { email } })),
      ...(await asking.client.call(contract.isSeller, { params: { email } })),
      ...(await asking.client.call(contract.isAdmin, { params: { email } })),
    });
    expect(await roles(buyer, buyer.email)).toEqual({ isBuyer: true, isSeller: false, isAdmin: false });
    expect(await roles(admin, seller.email)).toEqual({ isBuyer: false, isSeller: true, isAdmin: false });
    await expect(roles(buyer, seller.email)).rejects.toMatchObject({ status: 403 });
  });
});

describe('lists of people', () => {
  test('are available to admins, in pages', async () => {
    const admin = await shop.admin();
    for (let count = 0; count < 3; count += 1) await shop.seller();
    const first = await admin.client.page(listSellers, { query: { limit: 2 } });
    expect(first.items).toHaveLength(2);
    const second = await admin.client.page(listSellers, {
      query: { limit: 2, cursor: first.next ?? '' },
    });
    expect(second.items[0]?._id).not.toBe(first.items[0]?._id);
    const buyer = await shop.buyer();
    await expect(buyer.client.call(listSellers, { query: {} })).rejects.toMatchObject({
      status: 403,
    });
    await expect(shop.visitor.call(listBuyers, { query: {} })).rejects.toMatchObject({
      status: 401,
    });
  });

  test('return to any signed-in user whether a seller is verified', async () => {
    const [buyer, seller] = [await shop.buyer(), await shop.seller()];
    const asked = buyer.client.call(contract.sellerStatus, { params: { email: seller.email } });
    await expect(asked).resolves.toEqual({ status: false });
  });
});

test('a user changes the own name, and lists show the new one', async () => {
  const seller = await shop.seller('Sofia Seller');
  const laptop = await shop.laptop(seller);
  const readName = async () => {
    const laptops = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
    return laptops.find(({ _id }) => _id === laptop)?.sellers_name;
  };
  expect(await readName()).toBe('Sofia Seller');
  const rename = (name: string) => seller.client.call(contract.renameUser, { body: { name } });
  await expect(rename('Renata')).resolves.toMatchObject({ modifiedCount: 1 });
  await expect(rename('Renata')).resolves.toMatchObject({ modifiedCount: 0 });
  expect(await readName()).toBe('Renata');
  const admin = await shop.admin();
  const sellers = await admin.client.call(listSellers, { query: {} });
  expect(sellers.find(({ email }) => email === seller.email)?.name).toBe('Renata');
  await expect(rename(' ')).rejects.toMatchObject({ errors: { name: 'Name is required' } });
});
