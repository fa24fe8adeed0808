import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { listOwnLaptops } from '#contract/listings/catalogue.ts';
import { listWishlist } from '#contract/listings/wishlist.ts';
import { readShopSettings, saveShopSettings } from '#contract/operations/settings.ts';
import { listBuyers, listSellers } from '#contract/operations/user-admin.ts';
import * as contract from '#contract/people/accounts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import type { Client } from '#contract/platform/client.ts';
import { secondFactorGroups } from '#contract/platform/shop-settings.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { quoteLabel } from '#contract/sales/labels.ts';
import { sendMessage } from '#contract/sales/messages.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({ settings: { secondFactor: ['owners', 'staff'] } });
  admin = await shop.admin();
});
afterAll(() => shop.close());

/** The calls of a person who has signed in these ways. */
async function signedIn({ email }: Person, amr: string[] | undefined) {
  const idToken = await shop.issuer.idToken(email, amr === undefined ? {} : { amr });
  const { coomercioToken } = await shop.client(idToken).call(contract.exchangeToken, { query: { email } });
  return { token: coomercioToken, client: shop.client(coomercioToken) };
}

describe('when admins must sign in with a second factor', () => {
  test.each([[undefined], [['pwd']], [['fed']], [['otp']]])(
    'the authentication methods %j give no admin permissions',
    async (amr) => {
      const { client } = await signedIn(admin, amr);
      const asks = [
        () => client.call(listBuyers, { query: {} }),
        () => client.call(listSellers, { query: {} }),
        () => client.call(listAuditTrail, { query: {} }),
      ];
      for (const ask of asks) {
        await expect(ask()).rejects.toMatchObject({
          status: 403,
          code: 'second_factor_required',
          message: expect.stringContaining('account page'),
        });
      }
    },
  );

  test('every call that only admins can make requires it', async () => {
    const { token } = await signedIn(admin, ['pwd']);
    const forAdmins = [...calls.values()].filter(
      ({ access }) => typeof access !== 'string' && access.includes('Admin'),
    );
    expect(forAdmins.length).toBeGreaterThan(6);
    for (const { method, path } of forAdmins) {
      const address = path.replace(':email', 'nobody@people.example').replace(/:\w+/, crypto.randomUUID());
      const response = await fetch(`${shop.origin}/api${address}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await response.json(), path).toMatchObject({ code: 'second_factor_required' });
    }
  });

  test('a sign-in with a second factor gives admin permissions; calls that show nobody else need none', async () => {
    const { client } = await signedIn(admin, ['pwd', 'otp', 'mfa']);
    await expect(client.call(listBuyers, { query: {} })).resolves.toBeInstanceOf(Array);
    const without = await signedIn(admin, ['pwd']);
    await expect(without.client.call(listWishlist, { query: {} })).resolves.toEqual([]);
    const own = without.client.call(contract.isAdmin, { params: { email: admin.email } });
    await expect(own).resolves.toEqual({ isAdmin: true, secondFactorDue: true });
  });

  test('looking up another user’s role requires it too', async () => {
    const buyer = await shop.buyer();
    const ask = async (amr: string[]) => {
      const { client } = await signedIn(admin, amr);
      return client.call(contract.isBuyer, { params: { email: buyer.email } });
    };
    await expect(ask(['pwd'])).rejects.toMatchObject({ code: 'second_factor_required' });
    await expect(ask(['pwd', 'mfa'])).resolves.toEqual({ isBuyer: true });
  });

  test('other roles need none', async () => {
    const [buyer, seller] = [await shop.buyer(), await shop.seller()];
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toEqual([]);
    expect(await shop.laptop(seller)).toEqual(expect.any(String));
  });
});

test('the setting says who needs one, and applies at the next call', async () => {
  const sale = await sellLaptop(shop);
  const people = {
    owners: await signedIn(admin, ['pwd']),
    staff: await signedIn(await shop.admin('people'), ['pwd']),
    sellers: await signedIn(await shop.seller(), ['pwd']),
    buyers: await signedIn(await shop.buyer(), ['pwd']),
  };
  const mayGoOn = async ({ client }: { client: Client }, call: typeof listBuyers | typeof listOwnLaptops) => {
    try {
      await client.call(call, { query: {} });
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'second_factor_required' });
      return false;
    }
  };
  for (const groups of [[], ['owners'], ['staff'], ['sellers'], [...secondFactorGroups]] as const) {
    const { client } = await signedIn(admin, ['pwd', 'mfa']);
    const { version, settings } = await client.call(readShopSettings, {});
    const body = { version, settings: { ...settings, secondFactor: [...groups] } };
    await client.call(saveShopSettings, { body });
    const open = {
      owners: await mayGoOn(people.owners, listBuyers),
      staff: await mayGoOn(people.staff, listBuyers),
      sellers: await mayGoOn(people.sellers, listOwnLaptops),
    };
    for (const group of secondFactorGroups) {
      expect(open[group], `${group} with ${groups.join()}`).toBe(!groups.some((each) => each === group));
    }
    await expect(people.buyers.client.call(listBookings, { query: {} })).resolves.toEqual([]);
  }
  // Sellers need one now. An order has an address, a label costs money, and messages speak for them.
  const params = { _id: sale.orderId };
  const { client } = sale.seller;
  for (const ask of [
    () => client.call(readOrder, { params }),
    () => client.call(quoteLabel, { params, body: {} }),
    () => client.call(sendMessage, { params, body: { text: 'Hello.' } }),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: 'second_factor_required' });
  }
  const others = [...calls.values()].filter(({ needsSecondFactor }) => needsSecondFactor === true);
  expect(others.length).toBeGreaterThan(8);
  for (const { method, path } of others) {
    const address = path.replace(/:\w+/, sale.bookingId);
    const headers = { authorization: `Bearer ${people.sellers.token}` };
    const response = await fetch(`${shop.origin}/api${address}`, { method, headers });
    expect(await response.json(), path).toMatchObject({ code: 'second_factor_required' });
  }
  await expect(sale.buyer.client.call(readOrder, { params })).resolves.toMatchObject({ role: 'buyer' });
});
