import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/operations/first-steps.ts';
import { readHealth } from '#contract/operations/health.ts';
import { isAdmin } from '#contract/people/accounts.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { createCardAccount } from '#server/providers/stripe-account.ts';
import { ownershipKey, type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { findMissingEvents } from './actions.ts';

const key = Buffer.from(ownershipKey).toString('base64url');

let shop: TestShop;
let rejectsEmail = false;

beforeAll(async () => {
  shop = await startTestShop({ rejectsEmail: () => rejectsEmail });
});
afterAll(() => shop.close());

const claim = ({ client }: Person, given = key) => client.call(contract.claimShop, { body: { key: given } });

const administrates = async ({ client, email }: Person) =>
  (await client.call(isAdmin, { params: { email } })).isAdmin;

/** The destinations at the card processor, with their URLs. */
async function destinations() {
  const found = [];
  const list = shop.cards.stripe.v2.core.eventDestinations.list({ include: ['webhook_endpoint.url'] });
  for await (const { id, event_payload, webhook_endpoint } of list) {
    found.push({ id, payload: event_payload, url: webhook_endpoint?.url });
  }
  return found;
}

test('of all who open the link of a shop without admins, the first becomes its admin', async () => {
  const people = await Promise.all([shop.buyer('Ann'), shop.seller('Ben'), shop.buyer('Cleo')]);
  const [first] = people;
  if (first === undefined) throw new Error('Nobody is registered.');
  await expect(claim(first, key.replace(/^./, '-'))).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(claim(first, 'guess')).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await administrates(first)).toBe(false);

  const outcomes = await Promise.allSettled(people.map((person) => claim(person)));
  const refused = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => reason.code);
  expect(refused).toEqual(['shop_claimed', 'shop_claimed']);
  const admins = await Promise.all(people.map(administrates));
  expect(admins).toEqual(outcomes.map(({ status }) => status === 'fulfilled'));
});

test('the card processor is connected once, and its events are verified with the secrets that it told', async () => {
  const admin = await shop.admin();
  const connect = () => admin.client.call(contract.connectCardProcessor, {});
  const { stripe } = shop.cards;
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } });
  const url = `${shop.origin}/webhooks/stripe`;
  const byOwner = await stripe.v2.core.eventDestinations.create({
    name: 'By the owner',
    type: 'webhook_endpoint',
    event_payload: 'snapshot',
    enabled_events: ['*'],
    webhook_endpoint: { url: 'https://other.example/' },
  });

  expect(await connect()).toMatchObject({ created: 2 });
  const [, ...created] = await destinations();
  expect(created).toMatchObject([
    { payload: 'snapshot', url },
    { payload: 'thin', url },
  ]);
  const { payments } = await stripe.balanceSettings.retrieve();
  expect(payments.payouts?.schedule?.interval).toBe('manual');

  expect(await connect()).toMatchObject({ created: 0 });
  expect((await destinations()).map(({ id }) => id)).toEqual([byOwner.id, ...created.map(({ id }) => id)]);

  const { rows } = await shop.connection.pool.query<{ secret: string }>(
    'select secret from event_destinations',
  );
  const send = (secret: string, id: string) => {
    const payload = JSON.stringify({ id, object: 'event', type: 'a.type', created: 1, data: { object: {} } });
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret });
    return fetch(url, { method: 'POST', headers: { 'stripe-signature': header }, body: payload });
  };
  expect(rows).toHaveLength(2);
  for (const [index, { secret }] of rows.entries()) {
    expect((await send(secret, `evt_${index}`)).status).toBe(200);
  }
  expect((await send('whsec_of_somebody_else', 'evt_forged')).status).toBe(400);
});

test('a connection that failed is continued, and a destination whose secret was lost is replaced', async () => {
  const admin = await shop.admin();
  const connect = () => admin.client.call(contract.connectCardProcessor, {});
  await connect();
  const before = await destinations();
  // As if the process had ended between the creation and the storing of the secret.
  await shop.connection.pool.query("delete from event_destinations where payload = 'thin'");
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v2/core/event_destinations', kind: 'error', status: 500, times: 10 }],
  });
  await expect(connect()).rejects.toMatchObject({
    code: 'provider_refused',
    message: expect.stringMatching(/not connected yet\. Stripe says: .*try again/),
  });
  await shop.cards.setFaults({});
  expect(await connect()).toMatchObject({ created: 1 });
  const after = await destinations();
  const lost = before.filter(({ payload }) => payload === 'thin').map(({ id }) => id);
  expect(after.map(({ id }) => id)).not.toEqual(expect.arrayContaining(lost));
  expect(after).toHaveLength(before.length);
});

test('a destination that somebody disabled at the card processor is replaced', async () => {
  const admin = await shop.admin();
  const connect = () => admin.client.call(contract.connectCardProcessor, {});
  await connect();
  const disabled =
    (await destinations()).find(({ url }) => url === `${shop.origin}/webhooks/stripe`)?.id ?? '';
  await shop.cards.stripe.v2.core.eventDestinations.disable(disabled);
  expect(await connect()).toMatchObject({ created: 1 });
  expect((await destinations()).map(({ id }) => id)).not.toContain(disabled);
});

test('what the card processor does not send is missing after a change of the origin, and when sellers are paid through it', async () => {
  const admin = await shop.admin();
  await admin.client.call(contract.connectCardProcessor, {});
  const { database } = shop.connection;
  const { secretKey, origin: apiUrl } = shop.cards;
  const own = {
    ...{ database, origin: shop.origin },
    shop: () => ({ ...defaultShopSettings, payoutMethod: 'card_processor' as const }),
    cardAccount: createCardAccount({ secretKey, apiUrl: new URL(apiUrl) }),
  };
  expect(await findMissingEvents(own)).toEqual([]);
  expect(await findMissingEvents({ ...own, origin: 'https://moved.example' })).toEqual(['snapshot', 'thin']);
  const [thin] = (await destinations()).filter(({ payload }) => payload === 'thin');
  await shop.cards.stripe.v2.core.eventDestinations.disable(thin?.id ?? '');
  expect(await findMissingEvents(own)).toEqual(['thin']);
  expect(
    await findMissingEvents({ ...own, shop: () => ({ ...defaultShopSettings, payoutMethod: 'by_hand' }) }),
  ).toEqual([]);
});

test('Health says whether the card processor sends its events, although a secret is stored', async () => {
  const other = await startTestShop({
    dependencies: async () => ({
      balance: { listBalanceTransactions: async () => ({ items: [], nextCursor: null }) },
      self: {
        ...{ version: '0.0.0', role: 'all', photoFolder: null, hasEventSecret: false },
        standIns: { email: true, sms: true, payments: false, carriers: true },
      },
    }),
  });
  try {
    const admin = await other.admin();
    await admin.client.call(contract.connectCardProcessor, {});
    const { eventDestinations } = other.cards.stripe.v2.core;
    for await (const { id } of eventDestinations.list()) await eventDestinations.disable(id);
    const { checks } = await admin.client.call(readHealth, {});
    expect(checks.find(({ subject }) => subject === 'payments')).toMatchObject({
      state: 'broken',
      finding: expect.stringContaining('missing or disabled'),
    });
  } finally {
    await other.close();
  }
});

test('an admin gets an email at once, or reads what the mail server says', async () => {
  const admin = await shop.admin();
  shop.mails.length = 0;
  await admin.client.call(contract.sendTestEmail, {});
  expect(shop.mails).toMatchObject([{ to: admin.email, subject: expect.stringContaining('can send email') }]);
  rejectsEmail = true;
  await expect(admin.client.call(contract.sendTestEmail, {})).rejects.toMatchObject({
    code: 'provider_refused',
    message: expect.stringContaining('550 No such mailbox'),
  });
});
