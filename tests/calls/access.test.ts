import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { calls, callsOf, contractModules } from '#contract/calls.ts';
import { readCheckCode, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import {
  createDraftCode,
  createLaptopDraft,
  deleteLaptopDraft,
} from '#contract/certification/laptop-drafts.ts';
import { deleteSavedSearch, saveSearch } from '#contract/listings/saved-searches.ts';
import { suggestSearches } from '#contract/listings/search.ts';
import { removeWish, wish } from '#contract/listings/wishlist.ts';
import { listReceipts, readReceipt } from '#contract/money/accounting.ts';
import { addContent, contentKinds, publishContent } from '#contract/operations/content.ts';
import { readInvitation } from '#contract/operations/staff.ts';
import { exchangeToken } from '#contract/people/accounts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { subscribeToPush, unsubscribeFromPush } from '#contract/people/notifications.ts';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import type { Role } from '#contract/platform/scalars.ts';
import { type StaffArea, type StaffRight, staffAreas } from '#contract/platform/staff-rights.ts';
import {
  answerAsSeller,
  complain,
  listComplaintsOfOrder,
  sayAboutComplaint,
} from '#contract/sales/complaints.ts';
import { proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation, sendMessage } from '#contract/sales/messages.ts';
import { confirmOrder, readOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { readReviewsOfOrder, writeReview } from '#contract/sales/reviews.ts';
import { receiveParcel, shipParcel } from '#contract/sales/shipping.ts';
import { measure } from '#server/certification/certificates/testing/measure.ts';
import { sampleCheck } from '#server/certification/inspections/testing/sample-check.ts';
import { hashToken } from '#server/operations/staff/rules.ts';
import { createUnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import {
  type Person,
  startTestShop,
  type TestShop,
  tokenSecret,
  unsubscribeKey,
} from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { sampleSender, startTestCarriers, type TestCarriers, verify } from '#tests/harness/sales/carriers.ts';
import { sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let carriers: TestCarriers;
let people: Record<Role | 'ended' | 'adminWithoutSecondFactor', Person>;

/** An admin who has signed in with a second factor, which this shop requires. */
async function signInWithSecondFactor(admin: Person): Promise<Person> {
  const idToken = await shop.issuer.idToken(admin.email, { amr: ['pwd', 'otp', 'mfa'] });
  const query = { email: admin.email };
  const { coomercioToken: token } = await shop.client(idToken).call(exchangeToken, { query });
  return { ...admin, token, client: shop.client(token) };
}

beforeAll(async () => {
  shop = await startTestShop({
    settings: { secondFactor: ['owners', 'staff'] },
    dependencies: async (context) => {
      carriers = await startTestCarriers(context);
      return { carriers: carriers.carriers };
    },
  });
  const admin = await shop.admin();
  people = {
    Buyer: await shop.buyer(),
    Seller: await shop.seller(),
    Admin: await signInWithSecondFactor(admin),
    adminWithoutSecondFactor: admin,
    ended: await shop.buyer(),
  };
  await shop.connection.database
    .updateTable('users')
    .set({ ended_at: new Date() })
    .where('id', '=', people.ended.userId)
    .execute();
  await shop.connection.database
    .insertInto('staff_invitations')
    .values({
      email: 'invited@people.example',
      is_owner: false,
      areas: ['people'],
      invited_by: admin.userId,
      token_sha256: hashToken(invitationToken),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  const texts = { slug: 'published', title: 'Published', description: 'A page and a post.', body: 'Text.' };
  for (const kind of contentKinds) {
    const { insertedId } = await people.Admin.client.call(addContent, { body: { kind, ...texts } });
    const params = { _id: insertedId };
    await people.Admin.client.call(publishContent, { params, body: { version: 1 } });
  }
});
afterAll(async () => {
  await shop.close();
  await carriers.close();
});

async function statusOf({ method, path, body }: Endpoint, token: string | null): Promise<number> {
  const address = path.replace(':email', 'nobody@people.example').replace(/:\w+/, crypto.randomUUID());
  const response = await fetch(`${shop.origin}/api${address}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(body._zod.def.type !== 'undefined' && { body: '{}' }),
  });
  return response.status;
}

/** Returns an expired token of the kind that the endpoint accepts. */
async function createExpiredToken(endpoint: Endpoint): Promise<string> {
  const { email, userId } = people.Buyer;
  const past = Math.floor(Date.now() / 1000) - 600;
  if (endpoint.access === 'identity') return shop.issuer.idToken(email, { exp: past });
  return signToken(userId, past);
}

/** Signs a token as the shop does. @param expiresAt in seconds since 1970 */
const signToken = (userId: string, expiresAt: number, claims = {}) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('coomercio')
    .setAudience('coomercio-calls')
    .setSubject(userId)
    .setIssuedAt(expiresAt - 3600)
    .setExpirationTime(expiresAt)
    .sign(tokenSecret);

/** Returns a token whose session has ended. */
async function createSignedOutToken(): Promise<string> {
  const soon = Math.floor(Date.now() / 1000) + 600;
  await shop.connection.database
    .insertInto('ended_sessions')
    .values({ id: 'signed-out', forget_at: new Date(soon * 1000) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return signToken(people.Buyer.userId, soon, { sid: 'signed-out' });
}

const rows = [...calls.values()].map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
);
const guarded = rows.filter(([, { access }]) => access !== 'public');
const byRole = rows.filter(([, { access }]) => typeof access !== 'string');

test.each(guarded)(
  '%s rejects requests without a token, and with a forged or expired token or one of an ended account',
  async (_row, endpoint) => {
    expect(await statusOf(endpoint, null)).toBe(401);
    expect(await statusOf(endpoint, 'forged')).toBe(401);
    expect(await statusOf(endpoint, await createExpiredToken(endpoint))).toBe(401);
    const { token } = people.ended;
    const identity = endpoint.access === 'identity';
    expect(await statusOf(endpoint, token)).toBe(identity ? 401 : 403);
  },
);

const open = rows.filter(([, { access }]) => access === 'public');

/** The token of an invitation. */
const invitationToken = 'i'.repeat(43);

/** The bodies of the public calls that take one. Sent again, each gets the same response. */
const openBodies: Readonly<Record<string, (code: string) => unknown>> = {
  [readCheckCode.path]: (code) => ({ code }),
  [submitBrowserCheck.path]: sampleCheck,
  [readInvitation.path]: () => ({ token: invitationToken }),
};

/** What requests of public calls refer to. */
interface OpenThings {
  laptopId: string;
  /** A code of the laptop. */
  code: string;
}

/** Sends a request with an Authorization header. @returns the parts of the response that do not vary */
async function stableResponseTo(
  { method, path }: Endpoint,
  authorization: string | null,
  { laptopId, code }: OpenThings,
) {
  const unsubscribeUrl = createUnsubscribeLinks('', [unsubscribeKey]).urlOfSearch(laptopId);
  const address = path
    .replace(':id', 'HP')
    .replace(':_id', laptopId)
    .replace(':sellerId', people.Seller.userId)
    .replace(':number', '1')
    .replace(':slug', 'published')
    .replace(':token', unsubscribeUrl.split('/').at(-1) ?? '');
  const query = path === suggestSearches.path ? '?q=elite' : '';
  const body = openBodies[path]?.(code);
  const response = await fetch(`${shop.origin}/api${address}${query}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const headers = ['cache-control', 'vary', 'etag', 'link'].map((name) => response.headers.get(name));
  return { status: response.status, headers, body: await response.text() };
}

describe('an invalid token is like no token', () => {
  let things: OpenThings;
  let invalidTokens: readonly string[];

  beforeAll(async () => {
    const laptopId = await shop.laptop(people.Seller);
    const params = { _id: laptopId };
    await measure(shop, people.Seller, laptopId);
    const { code } = await people.Seller.client.call(createMeasurementCode, { params });
    things = { laptopId, code };
    // The index of the search follows the listing and its measurement.
    const newest = async () => (await fetch(`${shop.origin}/api/laptops?level=measured&limit=1`)).text();
    await vi.waitFor(async () => expect(await newest()).toContain(laptopId), 60_000);
    invalidTokens = [
      'null',
      'undefined',
      'forged',
      'a.b.c',
      people.ended.token,
      await createSignedOutToken(),
    ];
  });

  test.each(open)('at %s', async (_row, endpoint) => {
    const visitor = await stableResponseTo(endpoint, null, things);
    expect(visitor.status).toBe(200);
    for (const bearer of [...invalidTokens, await createExpiredToken(endpoint)]) {
      expect(await stableResponseTo(endpoint, `Bearer ${bearer}`, things), bearer).toEqual(visitor);
    }
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer a b', 'Basic YTpi', 'x', ' ']) {
      expect(await stableResponseTo(endpoint, authorization, things), authorization).toEqual(visitor);
    }
  });
});

test.each(byRole)('%s is served to its roles, and rejects every other one', async (_row, endpoint) => {
  for (const role of ['Buyer', 'Seller', 'Admin'] as const) {
    const status = await statusOf(endpoint, people[role].token);
    expect([405, 500], role).not.toContain(status);
    const open = typeof endpoint.access !== 'string' && endpoint.access.includes(role);
    if (open) expect(status, role).not.toBe(403);
    else expect(status, role).toBe(403);
  }
});

const forAdmins = byRole.filter(([, { access }]) => typeof access !== 'string' && access.includes('Admin'));

describe('rights of admins', () => {
  /** Admins by their areas. */
  const admins = new Map<string, Promise<Person>>();
  const withAreas = (areas: readonly StaffArea[]) => {
    const key = areas.join();
    const known = admins.get(key) ?? shop.admin(...areas).then(signInWithSecondFactor);
    admins.set(key, known);
    return known;
  };
  const othersThan = (areas: readonly StaffRight[]) => staffAreas.filter((area) => !areas.includes(area));

  test('there is a call of each area', () => {
    const named = new Set(forAdmins.flatMap(([, { rights = [] }]) => rights));
    expect([...named].toSorted()).toEqual([...staffAreas, 'owner'].toSorted());
  });

  test.each(forAdmins)('%s needs one of its rights', async (_row, endpoint) => {
    const { rights } = endpoint;
    if (rights === undefined) throw new Error('A call for admins has no rights.');
    expect(await statusOf(endpoint, (await withAreas(othersThan(rights))).token)).toBe(403);
    for (const right of rights) {
      if (right === 'owner') continue;
      expect(await statusOf(endpoint, (await withAreas([right])).token), right).not.toBe(403);
    }
    expect(await statusOf(endpoint, people.Admin.token)).not.toBe(403);
  });

  test('what belongs to an order or a receipt is read by admins with a right for it only', async () => {
    const sale = { seller: people.Seller, buyer: people.Buyer, address: sampleAddress };
    const { orderId } = await sellLaptop(shop, sale);
    const [receipt] = await people.Buyer.client.call(listReceipts, { query: {} });
    const paths: readonly (readonly [path: string, method: 'GET' | 'POST', areas: readonly StaffArea[]])[] = [
      [`/orders/${orderId}`, 'GET', ['complaints', 'money']],
      [`/orders/${orderId}/laptop`, 'GET', ['complaints', 'money']],
      [`/orders/${orderId}/complaints`, 'GET', ['complaints', 'money']],
      [`/orders/${orderId}/reviews`, 'GET', ['complaints', 'money']],
      [`/receipts/${receipt?.number}`, 'GET', ['money']],
    ];
    for (const [path, method, areas] of paths) {
      for (const area of staffAreas) {
        const { token } = await withAreas([area]);
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${shop.origin}/api${path}`, { method, headers });
        expect(response.status, `${path} by ${area}`).toBe(areas.includes(area) ? 200 : 403);
      }
    }
    const words = { params: { _id: orderId }, body: { text: 'I look at it.', photos: [] } };
    for (const area of ['money', 'people'] as const) {
      const refused = (await withAreas([area])).client.call(sayAboutComplaint, words);
      await expect(refused).rejects.toMatchObject({ status: 403, code: 'not_allowed' });
    }
    const allowed = (await withAreas(['complaints'])).client.call(sayAboutComplaint, words);
    await expect(allowed).rejects.not.toMatchObject({ status: 403 });
  });

  test('no claim, header or field of a request gives a right', async () => {
    const { email, userId } = await withAreas(['people']);
    const soon = Math.floor(Date.now() / 1000) + 600;
    const claims = { amr: ['mfa'], isOwner: true, is_owner: true, areas: staffAreas, roles: ['Admin'] };
    const token = await signToken(userId, soon, claims);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-http-method-override': 'PUT',
      'x-forwarded-user': people.Admin.email,
      'x-original-url': '/api/sellers',
    };
    const response = await fetch(`${shop.origin}/api/shopMoney`, { headers });
    expect(response.status).toBe(403);
    const own = await fetch(`${shop.origin}/api/users/me`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ name: 'Ada Other', is_owner: true, isOwner: true, areas: staffAreas }),
    });
    expect(own.status).toBe(200);
    const { rows } = await shop.connection.pool.query('select is_owner, areas from users where email = $1', [
      email,
    ]);
    expect(rows).toEqual([{ is_owner: false, areas: ['people'] }]);
  });
});

test('no two calls have the same name', () => {
  const names = [...contractModules.values()].flatMap(callsOf).map(([name]) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('every call of the contract for everybody is served', async () => {
  expect(guarded.length).toBeGreaterThan(15);
  for (const [row, endpoint] of rows.filter(([, { access }]) => typeof access === 'string')) {
    expect([405, 500], row).not.toContain(await statusOf(endpoint, people.Buyer.token));
  }
});

describe('another user’s id gets the response of an unknown id', () => {
  let savedPrice = 1;
  let meetingId = '';
  let report = '';
  let handoverCode = '000000';
  /** A paid order of Buyer at Seller. */
  const order = async () => {
    const laptopId = await shop.laptop(people.Seller);
    await measure(shop, people.Seller, laptopId);
    const bookingId = await shop.booking(people.Buyer, laptopId);
    const { call } = people.Buyer.client;
    const { clientSecret } = await call(createPaymentIntent, { body: { price: 549.99, bookingId } });
    const { transactionId } = await shop.pay(clientSecret);
    await call(recordPayment, { body: { bookingId, transactionId } });
    const { rows } = await shop.connection.pool.query(
      'select id, handover_code from orders where booking_id = $1',
      [bookingId],
    );
    handoverCode = rows[0].handover_code;
    return rows[0].id;
  };
  const parcel = async () => {
    const sale = { seller: people.Seller, buyer: people.Buyer, address: sampleAddress };
    return (await sellLaptop(shop, sale)).orderId;
  };
  const tracked = () => ({ carrier: 'UPS', trackingNumber: `1Z${crypto.randomUUID()}` });
  const sentParcel = async () => {
    const _id = await parcel();
    await people.Seller.client.call(shipParcel, { params: { _id }, body: tracked() });
    return _id;
  };
  /** A laptop that was sent and returns. */
  const returning = async () => {
    const _id = await sentParcel();
    const { Buyer, Seller } = people;
    await Buyer.client.call(receiveParcel, { params: { _id } });
    const body = { kind: 'damaged', text: 'The screen is broken.' } as const;
    await Buyer.client.call(complain, { params: { _id }, body });
    await Seller.client.call(answerAsSeller, { params: { _id }, body: { move: 'accept' } });
    return _id;
  };
  /** A label that the carrier is asked for. */
  const label = async () => {
    const { rows } = await shop.connection.pool.query(
      `insert into labels (order_id, way, state, shipment_id, borne_by, rates, insured_cents, quoted_premium_cents, rate_id)
       values ($1, 'out', 'buying', gen_random_uuid()::text, 'seller', '[]', 54999, 550, 'rate') returning id`,
      [await parcel()],
    );
    return rows[0].id;
  };
  /** A paid order with a complaint. */
  const complained = async () => {
    const _id = await order();
    const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
    await people.Buyer.client.call(complain, { params: { _id }, body });
    return _id;
  };
  /** The conversation of a new booking. */
  const conversation = async () => {
    const bookingId = await shop.booking(people.Buyer, await shop.laptop(people.Seller));
    return (await people.Buyer.client.call(openConversation, { body: { bookingId } })).insertedId;
  };
  const notification = async () => {
    const id = crypto.randomUUID();
    await shop.connection.database
      .insertInto('notifications')
      .values({
        id,
        user_id: people.Buyer.userId,
        topic: 'bookings',
        title: 'A title',
        body: 'What happened.',
        path: '/home',
      })
      .execute();
    return id;
  };
  /** The conversation of a new booking, with a meeting that the buyer has proposed. */
  const meeting = async () => {
    const _id = await conversation();
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const body = { place: 'Central Station', startsAt };
    ({ insertedId: meetingId } = await people.Buyer.client.call(proposeMeeting, { params: { _id }, body }));
    return _id;
  };
  const handedOver = async () => {
    const _id = await order();
    await people.Buyer.client.call(confirmOrder, { params: { _id } });
    return _id;
  };
  /** The review by one side of an order that both have reviewed. */
  const reviewBy = async (side: 'Buyer' | 'Seller') => {
    const params = { _id: await handedOver() };
    const body = { stars: 5, text: 'As described.' };
    const { insertedId: Seller } = await people.Seller.client.call(writeReview, { params, body });
    const { insertedId: Buyer } = await people.Buyer.client.call(writeReview, { params, body });
    return { Buyer, Seller }[side];
  };
  const draft = async () => (await people.Seller.client.call(createLaptopDraft, {})).insertedId;
  /** The calls with an id of the caller's own, how to create one that belongs to another user, and the body of a write. */
  const things: Record<string, { role: Role; make: () => Promise<string>; body?: () => object }> = {
    '/bookings/:_id': {
      role: 'Buyer',
      make: async () => shop.booking(people.Buyer, await shop.laptop(people.Seller)),
    },
    '/bookings/:_id/delivery': {
      role: 'Buyer',
      make: async () => shop.booking(people.Buyer, await shop.laptop(people.Seller)),
      body: () => ({ location: 'Café Central' }),
    },
    '/bookings/:_id/price': {
      role: 'Buyer',
      make: async () => shop.booking(people.Buyer, await shop.laptop(people.Seller)),
      body: () => ({ price: 549.99 }),
    },
    '/bookings/:_id/payment-window': {
      role: 'Buyer',
      make: async () => shop.booking(people.Buyer, await shop.laptop(people.Seller)),
    },
    '/wishlists/:_id': {
      role: 'Buyer',
      make: async () => {
        const productCode = await shop.laptop(people.Seller);
        const { insertedId = '' } = await people.Buyer.client.call(wish, { body: { productCode } });
        return insertedId;
      },
    },
    '/savedSearches/:_id': {
      role: 'Buyer',
      make: async () => {
        const body = { name: 'Mine', filters: { min_price: savedPrice }, frequency: 'daily' } as const;
        savedPrice += 1;
        return (await people.Buyer.client.call(saveSearch, { body })).insertedId;
      },
    },
    '/myProducts/:_id': {
      role: 'Seller',
      make: () => shop.laptop(people.Seller),
      body: () => ({ ...sampleLaptop(shop.origin), version: 1 }),
    },
    '/myProducts/:_id/listing': { role: 'Seller', make: () => shop.laptop(people.Seller) },
    '/myProducts/:_id/measurement': {
      role: 'Seller',
      make: () => shop.laptop(people.Seller),
    },
    '/myProducts/:_id/measurementCode': {
      role: 'Seller',
      make: () => shop.laptop(people.Seller),
    },
    '/laptopDrafts/:_id': { role: 'Seller', make: draft },
    '/laptopDrafts/:_id/measurement': { role: 'Seller', make: draft },
    '/laptopDrafts/:_id/measurementCode': { role: 'Seller', make: draft },
    '/laptopDrafts/:_id/measurementReport': {
      role: 'Seller',
      make: async () => {
        const _id = await draft();
        const { code } = await people.Seller.client.call(createDraftCode, { params: { _id } });
        report = `laptop-report 1\ncode ${code}\nsystem linux\n== end\n`;
        return _id;
      },
      body: () => ({ report }),
    },
    '/orders/:_id': { role: 'Buyer', make: order },
    '/orders/:_id/laptop': { role: 'Buyer', make: order },
    '/orders/:_id/complaints': {
      role: 'Buyer',
      make: order,
      body: () => ({ kind: 'not_handed_over', text: 'Nobody came.' }),
    },
    '/orders/:_id/statements': { role: 'Buyer', make: complained, body: () => ({ text: 'And it smells.' }) },
    '/orders/:_id/complaint/buyer': { role: 'Buyer', make: complained, body: () => ({ move: 'withdraw' }) },
    '/orders/:_id/complaint/seller': { role: 'Seller', make: complained, body: () => ({ move: 'accept' }) },
    '/orders/:_id/reviews': {
      role: 'Buyer',
      make: handedOver,
      body: () => ({ stars: 5, text: 'As described.' }),
    },
    '/reviews/:_id/answer': {
      role: 'Seller',
      make: () => reviewBy('Buyer'),
      body: () => ({ text: 'Thank you.' }),
    },
    // Everybody reads a review by a buyer.
    '/reviews/:_id/reports': {
      role: 'Buyer',
      make: () => reviewBy('Seller'),
      body: () => ({ reason: 'Insulting' }),
    },
    '/orders/:_id/cancel': { role: 'Seller', make: order, body: () => ({ text: 'It fell.' }) },
    '/orders/:_id/address': { role: 'Buyer', make: parcel, body: () => sampleAddress },
    '/orders/:_id/parcels': { role: 'Seller', make: parcel, body: tracked },
    '/orders/:_id/packing': {
      role: 'Seller',
      make: parcel,
      body: () => ({ photos: [sampleLaptop(shop.origin).image] }),
    },
    '/orders/:_id/labels': { role: 'Seller', make: parcel },
    '/orders/:_id/rates': {
      role: 'Seller',
      make: async () => {
        await verify(shop, people.Seller);
        return parcel();
      },
      body: () => ({ sender: sampleSender }),
    },
    '/orders/:_id/returnAddress': { role: 'Seller', make: returning, body: () => ({ sender: sampleSender }) },
    '/labels/:_id': { role: 'Seller', make: label, body: () => ({ rate: 'rate', price: 16.48 }) },
    '/orders/:_id/arrival': { role: 'Buyer', make: sentParcel },
    '/orders/:_id/parcel': {
      role: 'Seller',
      make: sentParcel,
      body: () => ({ move: 'prove_delivery', text: 'Signed.' }),
    },
    '/orders/:_id/confirm': { role: 'Buyer', make: order },
    '/orders/:_id/measurementCode': { role: 'Seller', make: order },
    '/orders/:_id/handOver': {
      role: 'Seller',
      make: order,
      body: () => ({ code: handoverCode }),
    },
    '/conversations/:_id': { role: 'Buyer', make: conversation },
    '/conversations/:_id/messages': { role: 'Buyer', make: conversation, body: () => ({ text: 'Hello.' }) },
    '/conversations/:_id/read': { role: 'Seller', make: conversation, body: () => ({ sequence: 1 }) },
    '/conversations/:_id/block': { role: 'Seller', make: conversation, body: () => ({ blocked: false }) },
    '/notifications/:_id/seen': { role: 'Buyer', make: notification },
    '/notifications/:_id/seenUntil': { role: 'Buyer', make: notification },
    '/pushSubscriptions/:_id': {
      role: 'Buyer',
      make: async () => {
        const endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`;
        const body = { endpoint, keys: { p256dh: 'B'.padEnd(87, 'A'), auth: 'A'.repeat(22) } };
        return (await people.Buyer.client.call(subscribeToPush, { body })).insertedId;
      },
    },
    '/conversations/:_id/reports': {
      role: 'Seller',
      make: async () => {
        const _id = await conversation();
        await people.Buyer.client.call(sendMessage, { params: { _id }, body: { text: 'Pay me elsewhere.' } });
        return _id;
      },
      body: () => ({ note: 'This is a fraud.' }),
    },
    '/conversations/:_id/meetings': {
      role: 'Buyer',
      make: conversation,
      body: () => ({
        place: 'Central Station',
        startsAt: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    },
    '/conversations/:_id/meeting': {
      role: 'Seller',
      make: meeting,
      body: () => ({ meeting: meetingId, answer: 'agree' }),
    },
    '/advertisement/:_id': { role: 'Seller', make: () => shop.laptop(people.Seller) },
  };
  const personal = rows.filter(
    ([, { path, access }]) =>
      path.includes('/:_id') &&
      // Anybody may ask what they may do with any laptop.
      path !== '/laptops/:_id/mine' &&
      access !== 'public' &&
      (typeof access === 'string' || !access.includes('Admin')),
  );

  test('all calls with ids are listed', () => {
    expect(new Set(personal.map(([, { path }]) => path))).toEqual(new Set(Object.keys(things)));
  });

  test.each(personal)('by %s', async (_row, endpoint) => {
    const { method, path, body } = endpoint;
    const hasBody = body._zod.def.type !== 'undefined';
    const thing = things[path];
    if (thing === undefined) throw new Error(`Whose ids does ${path} take?`);
    const id = await thing.make();
    const ask = async ({ token }: Person, wanted: string) => {
      const response = await fetch(`${shop.origin}/api${path.replace(':_id', wanted)}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(hasBody && { 'content-type': 'application/json' }),
        },
        ...(hasBody && { body: JSON.stringify(thing.body?.() ?? {}) }),
      });
      const { requestId: _, ...answer }: Record<string, unknown> = await response.json();
      return { status: response.status, answer };
    };
    const stranger = thing.role === 'Buyer' ? await shop.buyer() : await shop.seller();
    const unknown = await ask(stranger, crypto.randomUUID());
    // A removed item leaves no row, so removing an unknown one is a repetition.
    if (
      [removeWish, deleteSavedSearch, deleteLaptopDraft, unsubscribeFromPush].some(
        (removal) => removal === endpoint,
      )
    )
      expect(unknown.answer).toMatchObject({ deletedCount: 0 });
    else expect(unknown.status).toBe(404);
    expect(await ask(stranger, id)).toEqual(unknown);
    const own = await ask(people[thing.role], id);
    expect(own.status).toBe(200);
    expect(own.answer).not.toEqual(unknown.answer);
    // What admins may do beyond others needs their second factor.
    const factorless = await ask(people.adminWithoutSecondFactor, id);
    if (factorless.status !== 403) expect(factorless).toEqual(unknown);
  });

  test('an admin reads and answers orders, complaints, reviews and receipts only with a second factor, and it is recorded', async () => {
    const _id = await complained();
    const number = (await people.Buyer.client.call(listReceipts, { query: {} }))[0]?.number ?? '';
    const asks = ({ client }: Person) => [
      client.call(readOrder, { params: { _id } }),
      client.call(listComplaintsOfOrder, { params: { _id } }),
      client.call(readReviewsOfOrder, { params: { _id } }),
      client.call(sayAboutComplaint, {
        params: { _id },
        body: { text: 'The shop says: pay by bank transfer.' },
      }),
      client.call(readReceipt, { params: { number } }),
    ];
    for (const ask of await Promise.allSettled(asks(people.adminWithoutSecondFactor))) {
      expect(ask).toMatchObject({ reason: { code: 'second_factor_required' } });
    }
    const entries = async () => {
      const found = await people.Admin.client.call(listAuditTrail, { query: {} });
      return found
        .filter(({ act }) => act.startsWith('Read '))
        .map(({ act, subject }) => `${act}: ${subject}`);
    };
    const before = await entries();
    for (const ask of asks(people.Admin)) await ask;
    const recorded = (await entries()).slice(0, -before.length || undefined);
    expect(new Set(recorded)).toEqual(
      new Set([`Read order: EliteBook 840 G8: order ${_id}`, `Read receipt: Receipt ${number}`]),
    );
    // The two people of the order read it without an entry.
    const count = (await entries()).length;
    await people.Buyer.client.call(readOrder, { params: { _id } });
    await people.Buyer.client.call(readReceipt, { params: { number } });
    expect(await entries()).toHaveLength(count);
  });
});
