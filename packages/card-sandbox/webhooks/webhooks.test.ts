import { expect, test } from 'vitest';
import { payByCard, startTestSandbox, WebhookEndpoint } from '../testing/index.ts';

const price = { amount: 30_000, currency: 'usd', metadata: { bookingId: 'b9' } } as const;

async function startSandboxWithEndpoint() {
  const endpoint = new WebhookEndpoint();
  const webhookUrl = await endpoint.listen();
  const sandbox = await startTestSandbox({ webhookUrl });
  return { endpoint, webhookUrl, sandbox };
}

test('delivers the events of a payment and its refund in order, with valid signatures', async () => {
  const { endpoint, sandbox } = await startSandboxWithEndpoint();
  const intent = await sandbox.stripe.paymentIntents.create(price);
  await payByCard(sandbox, intent, '4242424242424242');
  await sandbox.stripe.refunds.create({ payment_intent: intent.id });
  await endpoint.waitFor(7);
  expect(endpoint.types()).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'refund.created',
    'charge.refunded',
    'refund.updated',
  ]);
  const succeeded = endpoint.received[2]?.event;
  expect(succeeded).toMatchObject({
    object: 'event',
    livemode: false,
    data: {
      object: { id: intent.id, status: 'succeeded', amount_received: 30_000, metadata: { bookingId: 'b9' } },
    },
  });
});

test('delivers events of declines, 3-D Secure and cancellations', async () => {
  const { endpoint, sandbox } = await startSandboxWithEndpoint();
  const intent = await sandbox.stripe.paymentIntents.create(price);
  await payByCard(sandbox, intent, '4000000000000002').catch(() => undefined);
  await payByCard(sandbox, intent, '4000002760003184');
  await sandbox.stripe.paymentIntents.cancel(intent.id);
  await endpoint.waitFor(5);
  expect(endpoint.types()).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'payment_intent.canceled',
  ]);
});

test('retries an event with the same body until the response is 2xx', async () => {
  const { endpoint, sandbox } = await startSandboxWithEndpoint();
  endpoint.respondWith(500);
  await sandbox.stripe.paymentIntents.create(price);
  await endpoint.waitFor(2);
  expect(endpoint.received[1]?.raw).toBe(endpoint.received[0]?.raw);
  await sandbox.control('POST', 'deliver');
  expect(await sandbox.control('GET', 'events')).toMatchObject({
    data: [{ delivery: { status: 'delivered', attempts: 2, lastAnswer: 200 } }],
  });
});

test('delivers pending events after a restart', async () => {
  const sandbox = await startTestSandbox({ webhookUrl: 'http://127.0.0.1:1/nobody' });
  await sandbox.stripe.paymentIntents.create(price);
  expect(await sandbox.control('POST', 'deliver')).toMatchObject({ attempts: [{ answers: [null] }] });
  await sandbox.close();
  const endpoint = new WebhookEndpoint();
  const restarted = await startTestSandbox({
    dataFolder: sandbox.dataFolder,
    webhookUrl: await endpoint.listen(),
  });
  await endpoint.waitFor(1);
  expect(endpoint.types()).toEqual(['payment_intent.created']);
  await restarted.control('POST', 'deliver');
  await restarted.close();
  const third = await startTestSandbox({
    dataFolder: sandbox.dataFolder,
    webhookUrl: 'http://127.0.0.1:1/nobody',
  });
  expect(await third.control('POST', 'deliver')).toEqual({ attempts: [] });
});

test('delivers held events on request, in the requested order and number of copies', async () => {
  const { endpoint, sandbox } = await startSandboxWithEndpoint();
  await sandbox.control('POST', 'faults', { webhooks: { mode: 'hold' } });
  const intent = await sandbox.stripe.paymentIntents.create({
    ...price,
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  expect(endpoint.received).toEqual([]);
  await sandbox.control('POST', 'deliver', { order: 'reversed', copies: 2 });
  expect(endpoint.types()).toEqual([
    'charge.updated',
    'charge.updated',
    'payment_intent.succeeded',
    'payment_intent.succeeded',
    'charge.succeeded',
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.created',
  ]);
  const [first] = endpoint.received;
  await sandbox.control('POST', 'deliver', { events: [first?.event.id ?? ''] });
  expect(endpoint.types().at(-1)).toBe('charge.updated');
  await sandbox.control('DELETE', 'faults');
  await sandbox.stripe.refunds.create({ payment_intent: intent.id });
  await endpoint.waitFor(12);
  expect(endpoint.types().slice(9)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
});

test('requires the secret key for /sandbox/', async () => {
  const sandbox = await startTestSandbox();
  for (const headers of [{}, { Authorization: 'Bearer pk_test_stand_in_public' }]) {
    const answer = await fetch(`${sandbox.origin}/sandbox/events`, { headers });
    expect(answer.status).toBe(401);
  }
});
