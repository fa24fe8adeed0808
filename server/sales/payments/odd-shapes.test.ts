// What is signed or comes from the card processor is trusted to be theirs, not to be well-formed.
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCardProcessor } from '#server/providers/stripe.ts';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { portOf } from '#tests/harness/platform/ports.ts';
import { CardProcessorUnavailable } from './card-processor.ts';

describe('a signed event', () => {
  let shop: SharedShop;
  beforeAll(async () => {
    shop = await sharedShop();
  });

  async function deliver(payload: string): Promise<{ status: number; type: string | null; code: unknown }> {
    const signature = shop.cards.stripe.webhooks.generateTestHeaderString({
      payload,
      secret: 'whsec_harness',
    });
    const response = await fetch(`${shop.origin}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
    });
    const { code }: { code?: unknown } = JSON.parse(await response.text());
    return { status: response.status, type: response.headers.get('content-type'), code };
  }
  const noted = async (id: string) =>
    (await shop.connection.pool.query('select from webhook_events where id = $1', [id])).rowCount;

  test.each<[string, unknown]>([
    ['no object', null],
    ['a text', 'evt'],
    ['a list', []],
    ['no id', { type: 'x', data: { object: {} } }],
    ['an id that is a number', { id: 1, type: 'x', data: { object: {} } }],
    ['an id with NUL', { id: 'evt_\u0000', type: 'x', data: { object: {} } }],
    ['an id of 10,000 characters', { id: 'e'.repeat(10_000), type: 'x', data: { object: {} } }],
    ['no type', { id: 'evt_1', data: { object: {} } }],
    ['a type with NUL', { id: 'evt_1', type: 'a\u0000', data: { object: {} } }],
    ['no data', { id: 'evt_1', type: 'x' }],
    ['data that is null', { id: 'evt_1', type: 'x', data: null }],
  ])('with %s is rejected as malformed', async (_, event) => {
    expect(await deliver(JSON.stringify(event))).toEqual({
      status: 400,
      type: 'application/problem+json; charset=utf-8',
      code: 'malformed_request',
    });
  });

  test('that is not JSON is rejected as malformed', async () => {
    expect(await deliver('{"id": "evt_1"')).toMatchObject({ status: 400, code: 'malformed_request' });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'pi_1'],
    ['an object without a kind', { id: 'pi_1' }],
    ['an intent without an id', { object: 'payment_intent' }],
    ['an intent whose id is a list', { object: 'payment_intent', id: ['pi_1'] }],
    ['an intent whose id has NUL', { object: 'payment_intent', id: 'pi_\u0000' }],
    ['a refund whose payment is a number', { object: 'refund', id: 're_1', payment_intent: 7 }],
    ['a dispute without a payment', { object: 'dispute', id: 'du_1', payment_intent: null }],
    ['something that the shop does not follow', { object: 'customer', id: 'cus_1' }],
  ])(
    'about %s is recorded and ignored, because a retry would have the same content',
    async (what, object) => {
      const id = `evt_${what.replaceAll(/\W/g, '_')}`;
      const event = { id, type: 'customer.updated', data: { object } };
      expect(await deliver(JSON.stringify(event))).toMatchObject({ status: 200 });
      expect(await noted(id)).toBe(1);
    },
  );
});

describe('a response of the card processor', () => {
  let body = '{}';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());

  const processor = () =>
    createCardProcessor({
      secretKey: 'sk_test_odd',
      webhookSecret: 'whsec_odd',
      apiUrl: new URL(`http://127.0.0.1:${portOf(server)}`),
    });
  const intent = {
    id: 'pi_1',
    object: 'payment_intent',
    status: 'succeeded',
    amount: 54_999,
    amount_received: 54_999,
    currency: 'usd',
    metadata: { bookingId: 'b' },
    client_secret: 'pi_1_secret_1',
  };
  const dispute = {
    id: 'du_1',
    object: 'dispute',
    status: 'needs_response',
    amount: 100,
    reason: 'general',
    payment_intent: 'pi_1',
    evidence_details: { due_by: 1_800_000_000 },
  };

  test.each<[string, object]>([
    ['an intent without metadata', { ...intent, metadata: null }],
    ['an intent of a status that is new', { ...intent, status: 'requires_luck' }],
  ])('with %s is accepted', async (_, answer) => {
    body = JSON.stringify(answer);
    await expect(processor().readIntent('pi_1')).resolves.toMatchObject({ transactionId: 'pi_1' });
  });

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['null', null],
    ['an amount as text', { ...intent, amount_received: '54999' }],
    ['an amount that is not whole', { ...intent, amount_received: 549.99 }],
    ['a negative amount', { ...intent, amount_received: -1 }],
    ['an amount that no column holds', { ...intent, amount_received: 2 ** 31 }],
    ['an id with NUL', { ...intent, id: 'pi_\u0000' }],
  ])('with %s for an intent is invalid and retried', async (_, answer) => {
    body = JSON.stringify(answer);
    await expect(processor().readIntent('pi_1')).rejects.toThrow(CardProcessorUnavailable);
  });

  test.each<[string, object]>([
    ['no evidence details', { ...dispute, evidence_details: undefined }],
    ['a moment beyond all calendars', { ...dispute, evidence_details: { due_by: 1e18 } }],
    ['a reason with NUL', { ...dispute, reason: '\u0000' }],
  ])('with %s for a dispute is invalid', async (_, answer) => {
    body = JSON.stringify(answer);
    await expect(processor().readDispute('du_1')).rejects.toThrow(CardProcessorUnavailable);
  });

  test('with an expanded payment is accepted', async () => {
    body = JSON.stringify({ ...dispute, payment_intent: { id: 'pi_9', object: 'payment_intent' } });
    await expect(processor().readDispute('du_1')).resolves.toMatchObject({ transactionId: 'pi_9' });
    body = JSON.stringify({ id: 're_1', object: 'refund', amount: 100, status: null, payment_intent: null });
    await expect(processor().readRefund('re_1')).resolves.toMatchObject({ status: 'pending' });
  });
});
