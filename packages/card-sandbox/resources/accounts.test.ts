import { expect, test } from 'vitest';
import { keys, startTestSandbox, type TestSandbox, WebhookEndpoint } from '../testing/index.ts';

const recipient = {
  contact_email: 'sally@example.com',
  display_name: 'Sally Seller',
  dashboard: 'express',
  identity: { country: 'us', entity_type: 'individual' },
  configuration: {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
  },
  defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  include: ['configuration.recipient', 'identity', 'requirements'],
} as const;

const create = (stripe: TestSandbox['stripe']) =>
  stripe.v2.core.accounts.create({ ...recipient, include: [...recipient.include] });

async function openOnboarding({ stripe }: TestSandbox, account: string): Promise<string> {
  const link = await stripe.v2.core.accountLinks.create({
    account,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: {
        refresh_url: 'http://shop.example/again',
        return_url: 'http://shop.example/back?seller=1',
      },
    },
  });
  return link.url;
}

const get = (url: string) => fetch(url, { redirect: 'manual' });

/** Opens a link and answers its form. @returns where the answer leads */
async function answer(url: string, outcome: string, bankAccount = '000123456789') {
  const opened = await get(url);
  const visit = new URL(opened.headers.get('location') ?? '', url);
  const body = new URLSearchParams({ outcome, bank_account: bankAccount });
  const response = await fetch(visit, { method: 'POST', body, redirect: 'manual' });
  return { visit: visit.href, location: response.headers.get('location') };
}

const statusOf = async ({ stripe }: TestSandbox, id: string) => {
  const account = await stripe.v2.core.accounts.retrieve(id, {
    include: ['configuration.recipient', 'requirements'],
  });
  return {
    transfers: account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers,
    requirements: account.requirements?.entries?.map(({ description }) => description),
  };
};

test('creates an account that cannot receive transfers yet, and renders only what is included', async () => {
  const { stripe } = await startTestSandbox();
  const account = await create(stripe);
  expect(account).toMatchObject({
    object: 'v2.core.account',
    contact_email: 'sally@example.com',
    identity: { country: 'us', entity_type: 'individual' },
    configuration: {
      recipient: {
        capabilities: {
          stripe_balance: {
            stripe_transfers: {
              status: 'restricted',
              status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
            },
          },
        },
      },
    },
    requirements: { summary: { minimum_deadline: { status: 'past_due' } } },
  });
  expect(account.requirements?.entries).toContainEqual(
    expect.objectContaining({ description: 'external_account', awaiting_action_from: 'user' }),
  );
  const bare = await stripe.v2.core.accounts.retrieve(account.id);
  expect(bare).not.toHaveProperty('requirements');
  expect(bare).not.toHaveProperty('configuration');
});

test('rejects an account without the capability, an unknown one, and a body that is no object', async () => {
  const { stripe, origin } = await startTestSandbox();
  await expect(
    stripe.v2.core.accounts.create({ dashboard: 'express', identity: { country: 'us' } }),
  ).rejects.toMatchObject({ statusCode: 400, code: 'invalid_fields' });
  await expect(stripe.v2.core.accounts.retrieve('acct_unknown')).rejects.toMatchObject({
    statusCode: 404,
    code: 'not_found',
  });
  const response = await fetch(`${origin}/v2/core/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.secretKey}` },
    body: '[1]',
  });
  expect(response.status).toBe(400);
});

test('creates one account per idempotency key', async () => {
  const { stripe } = await startTestSandbox();
  const options = { idempotencyKey: '6c9d4d1b-70b0-4b46-8d6f-0b7fb1f3a111' };
  const body = { ...recipient, include: [...recipient.include] };
  const [first, second] = [
    await stripe.v2.core.accounts.create(body, options),
    await stripe.v2.core.accounts.create(body, options),
  ];
  expect(second.id).toBe(first.id);
});

test('onboards an account with a link that opens once, and reports it with thin events', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const { id } = await create(sandbox.stripe);
  const url = await openOnboarding(sandbox, id);
  const { visit, location } = await answer(url, 'pass');
  expect(location).toBe('http://shop.example/back?seller=1');
  expect(await statusOf(sandbox, id)).toEqual({
    transfers: { status: 'active', status_details: [] },
    requirements: [],
  });
  for (const used of [url, visit]) {
    expect((await get(used)).headers.get('location')).toBe('http://shop.example/again');
  }
  await endpoint.waitFor(4);
  expect(endpoint.types()).toEqual(
    Array.from({ length: 2 }, () => [
      'v2.core.account[requirements].updated',
      'v2.core.account[configuration.recipient].capability_status_updated',
    ]).flat(),
  );
  const thin: unknown = JSON.parse(endpoint.notifications[3]?.raw ?? '');
  expect(thin).toEqual({
    id: expect.stringMatching(/^evt_/),
    object: 'v2.core.event',
    type: 'v2.core.account[configuration.recipient].capability_status_updated',
    created: expect.stringMatching(/^\d{4}-.*Z$/),
    livemode: false,
    related_object: { id, type: 'v2.core.account', url: `/v2/core/accounts/${id}` },
  });
});

test('shows a page that can be reloaded and leads nowhere else', async () => {
  const sandbox = await startTestSandbox();
  const { id } = await create(sandbox.stripe);
  const opened = await get(await openOnboarding(sandbox, id));
  const visit = new URL(opened.headers.get('location') ?? '', sandbox.origin);
  for (const _ of [1, 2]) {
    const page = await get(visit.href);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://shop.example;");
    const html = await page.text();
    for (const text of ['Sally Seller', 'Pass', 'Ask for more', 'Refuse', '000111111113']) {
      expect(html).toContain(text);
    }
  }
  expect((await get(`${sandbox.origin}/onboarding/unknown`)).status).toBe(404);
  const wrong = await fetch(visit, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pass', bank_account: '1' }),
    redirect: 'manual',
  });
  expect(wrong.headers.get('location')).toBe(visit.pathname);
});

test('asks for more, and accepts the account at the second time', async () => {
  const sandbox = await startTestSandbox();
  const { id } = await create(sandbox.stripe);
  await answer(await openOnboarding(sandbox, id), 'ask');
  expect(await statusOf(sandbox, id)).toMatchObject({
    transfers: { status: 'restricted' },
    requirements: ['identity.individual.verification.document'],
  });
  await answer(await openOnboarding(sandbox, id), 'pass');
  expect(await statusOf(sandbox, id)).toMatchObject({ transfers: { status: 'active' } });
});

test('refuses an account for good, or leaves it as it is', async () => {
  const sandbox = await startTestSandbox();
  const { id } = await create(sandbox.stripe);
  await answer(await openOnboarding(sandbox, id), 'leave');
  expect(await statusOf(sandbox, id)).toMatchObject({ transfers: { status: 'restricted' } });
  await answer(await openOnboarding(sandbox, id), 'refuse');
  expect(await statusOf(sandbox, id)).toEqual({
    transfers: {
      status: 'rejected',
      status_details: [{ code: 'rejected_other', resolution: 'no_resolution' }],
    },
    requirements: [],
  });
});

test('closes an account', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const other = await create(sandbox.stripe);
  const url = await openOnboarding(sandbox, other.id);
  await sandbox.control('POST', `accounts/${other.id}`, { closed: true });
  expect(await sandbox.stripe.v2.core.accounts.retrieve(other.id)).toMatchObject({
    closed: true,
    applied_configurations: [],
  });
  expect((await get(url)).headers.get('location')).toBe('http://shop.example/again');
  await expect(openOnboarding(sandbox, other.id)).rejects.toMatchObject({ code: 'account_closed' });
  await endpoint.waitFor(3);
  expect(endpoint.types().at(-1)).toBe('v2.core.account.closed');
});

test('changes an account from outside, with the events, and keeps it over a restart', async () => {
  const sandbox = await startTestSandbox();
  const { id } = await create(sandbox.stripe);
  await sandbox.control('POST', `accounts/${id}`, {
    transfers: { status: 'pending', detail: { code: 'determining_status', resolution: 'no_resolution' } },
    requirements: [{ path: 'identity.individual.phone', awaiting: 'stripe' }],
  });
  const expected = {
    transfers: {
      status: 'pending',
      status_details: [{ code: 'determining_status', resolution: 'no_resolution' }],
    },
    requirements: ['identity.individual.phone'],
  };
  expect(await statusOf(sandbox, id)).toEqual(expected);
  await expect(sandbox.control('POST', 'accounts/acct_none', { closed: true })).rejects.toThrow('404');
  await expect(
    sandbox.control('POST', `accounts/${id}`, { onboarding: { outcome: 'pass', bankAccount: '1' } }),
  ).rejects.toThrow('400');
  await sandbox.close();
  expect(await statusOf(await startTestSandbox({ dataFolder: sandbox.dataFolder }), id)).toEqual(expected);
});
