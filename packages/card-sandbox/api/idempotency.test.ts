import { expect, test } from 'vitest';
import { startTestSandbox } from '../testing/index.ts';

const price = { amount: 20_000, currency: 'usd' } as const;
const key = { idempotencyKey: 'booking-7' };

test('replays the response to the same key and body, also after a restart', async () => {
  const sandbox = await startTestSandbox();
  const first = await sandbox.stripe.paymentIntents.create(price, key);
  const again = await sandbox.stripe.paymentIntents.create(price, key);
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  await sandbox.close();
  const restarted = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  expect((await restarted.stripe.paymentIntents.create(price, key)).id).toBe(first.id);
  expect((await restarted.stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('rejects a key that was used with another body or path', async () => {
  const { stripe } = await startTestSandbox();
  const intent = await stripe.paymentIntents.create(price, key);
  await expect(stripe.paymentIntents.create({ ...price, amount: 1 }, key)).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeIdempotencyError',
  });
  await expect(stripe.paymentIntents.cancel(intent.id, {}, key)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  });
});

test('replays a declined payment, and runs a request again whose parameters were invalid', async () => {
  const { stripe } = await startTestSandbox();
  const declined = { ...price, payment_method: 'pm_card_visa_chargeDeclined', confirm: true };
  const first = await stripe.paymentIntents.create(declined, key).catch((error: unknown) => error);
  const again = await stripe.paymentIntents.create(declined, key).catch((error: unknown) => error);
  expect(first).toMatchObject({ code: 'card_declined' });
  expect(again).toMatchObject({ code: 'card_declined', headers: { 'idempotent-replayed': 'true' } });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
  const other = { idempotencyKey: 'mended' };
  await expect(stripe.paymentIntents.create({ ...price, amount: 1 }, other)).rejects.toThrow('at least');
  expect((await stripe.paymentIntents.create(price, other)).status).toBe('requires_payment_method');
});

test('responds 409 to a key in use until the first request ends', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.control('POST', 'faults', {
    calls: [{ path: '/v1/payment_intents', kind: 'hold', moment: 'during' }],
  });
  const held = sandbox.stripe.paymentIntents.create(price, key);
  await sandbox.control('GET', 'held?atLeast=1');
  await expect(sandbox.stripe.paymentIntents.create(price, key)).rejects.toMatchObject({
    statusCode: 409,
    code: 'idempotency_key_in_use',
  });
  await sandbox.control('POST', 'release');
  const first = await held;
  expect((await sandbox.stripe.paymentIntents.create(price, key)).id).toBe(first.id);
});

test('replays a lost response', async () => {
  const sandbox = await startTestSandbox();
  for (const kind of ['error', 'disconnect']) {
    // Two faults, because Stripe's library retries once after a closed connection.
    const times = kind === 'disconnect' ? 2 : 1;
    await sandbox.control('POST', 'faults', { calls: [{ method: 'POST', kind, moment: 'after', times }] });
    const again = { idempotencyKey: `lost-${kind}` };
    await expect(sandbox.stripe.paymentIntents.create(price, again)).rejects.toThrow();
    const found = await sandbox.stripe.paymentIntents.create(price, again);
    expect(found.lastResponse.headers['idempotent-replayed']).toBe('true');
  }
  expect((await sandbox.stripe.paymentIntents.list()).data).toHaveLength(2);
});

test('runs a request again that failed before it ran', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.control('POST', 'faults', { calls: [{ kind: 'error', status: 503, times: 2 }] });
  await expect(sandbox.stripe.paymentIntents.create(price, key)).rejects.toMatchObject({ statusCode: 503 });
  await expect(sandbox.stripe.paymentIntents.create(price, key)).rejects.toMatchObject({ statusCode: 503 });
  const made = await sandbox.stripe.paymentIntents.create(price, key);
  expect((await sandbox.stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([made.id]);
});

test('has no effect if the client of a held request disconnects', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.control('POST', 'faults', { calls: [{ kind: 'hold' }] });
  await expect(sandbox.stripe.paymentIntents.create(price, { ...key, timeout: 100 })).rejects.toMatchObject({
    type: 'StripeConnectionError',
  });
  expect((await sandbox.stripe.paymentIntents.list()).data).toEqual([]);
});
