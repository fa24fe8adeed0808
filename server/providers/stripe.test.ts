import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CardSandbox, startCardSandbox } from '@coomercio/card-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardProcessor, NewIntent } from '#server/sales/payments/card-processor.ts';
import { type CardProcessorControl, controlCardProcessor } from '#tests/harness/money/card-processor.ts';
import { testCardProcessor } from '#tests/harness/ports/card-processor.ts';
import { createCardProcessor, statementSuffix } from './stripe.ts';

const keys = {
  secretKey: 'sk_test_cards',
  publishableKey: 'pk_test_cards',
  webhookSecret: 'whsec_cards',
};

let folder: string;
let sandbox: CardSandbox;
let control: CardProcessorControl;
let cards: CardProcessor;
let customerId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-stripe-'));
  sandbox = await startCardSandbox({ port: 0, dataFolder: folder, ...keys, delay: 24 * 3_600_000 });
  control = controlCardProcessor(sandbox.origin, keys.secretKey);
  cards = createCardProcessor({ ...keys, apiUrl: new URL(sandbox.origin) });
  customerId = await cards.createCustomer({ buyerId: 'buyer-1', idempotencyKey: 'customer' });
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
const newIntent = (changes: Partial<NewIntent> = {}): NewIntent => {
  count += 1;
  return {
    amountCents: 54_999,
    bookingId: `booking-${count}`,
    description: 'EliteBook 840 G8',
    brand: 'HP',
    buyer: {
      id: 'buyer-1',
      customerId,
      name: 'Bea Buyer',
      verifiedEmail: 'bea@example.com',
      phone: '+351 900 000 000',
      address: { line1: 'Central Station' },
    },
    seller: { id: 'seller-1' },
    idempotencyKey: `key-${count}`,
    ...changes,
  };
};

testCardProcessor(() => ({
  cards,
  newIntent,
  pay: async (clientSecret) => {
    const [transactionId = ''] = clientSecret.split('_secret_');
    await control.stripe.paymentIntents.confirm(transactionId, { payment_method: 'pm_card_visa' });
  },
}));

describe('a payment', () => {
  test('takes cards only, has a group, and carries what Radar and a dispute need', async () => {
    const request = newIntent();
    const { transactionId } = await cards.createIntent(request);
    expect(await control.stripe.paymentIntents.retrieve(transactionId)).toMatchObject({
      amount: 54_999,
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      automatic_payment_methods: null,
      transfer_group: request.bookingId,
      customer: customerId,
      setup_future_usage: null,
      statement_descriptor_suffix: 'HP',
      receipt_email: 'bea@example.com',
      shipping: { name: 'Bea Buyer', phone: '+351 900 000 000', address: { line1: 'Central Station' } },
      metadata: { bookingId: request.bookingId, buyerId: 'buyer-1', sellerId: 'seller-1' },
      description: 'EliteBook 840 G8',
    });
  });

  test('sends no email address that is not verified, and no address that the shop does not know', async () => {
    const { buyer } = newIntent();
    const { transactionId } = await cards.createIntent(
      newIntent({ buyer: { ...buyer, verifiedEmail: null } }),
    );
    const intent = await control.stripe.paymentIntents.retrieve(transactionId);
    expect(intent.receipt_email).toBeNull();
    expect(intent.shipping?.address).toEqual({
      line1: 'Central Station',
      line2: null,
      city: null,
      state: null,
      postal_code: null,
      country: null,
    });
  });

  test.each([
    ['HP', 'HP'],
    ['Microsoft Surface', 'MICROSOFT'],
    ['Lenovo*ThinkPad', 'LENOVOTHIN'],
    ['Framework Computer', 'FRAMEWORK'],
    [`O'Brien "<x>"`, 'OBRIEN X'],
    ['Étoile', 'ETOILE'],
    ['16', 'LAPTOP'],
    ['华为', 'LAPTOP'],
    ['', 'LAPTOP'],
  ])('of the brand %s ends with %s on the bank statement', (brand, suffix) => {
    expect(statementSuffix(brand)).toBe(suffix);
  });
});

/** Takes a payment whose money is available, and pays it out to the shop's bank. */
async function sweptPayment(): Promise<string> {
  const intent = await control.stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  await control.settleFunds();
  const { available } = await control.stripe.balance.retrieve();
  await control.stripe.payouts.create({ amount: available[0]?.amount ?? 0, currency: 'usd' });
  return intent.id;
}

test('a refund that the balance does not cover is pending and says why', async () => {
  const transactionId = await sweptPayment();
  const refund = await cards.refund({
    ...{ transactionId, amountCents: 10_000 },
    ...{ reference: 'refund-1', idempotencyKey: 'refund-1' },
  });
  expect(refund).toMatchObject({ status: 'pending', pendingReason: 'funds', failureReason: null });
  await control.topUp(20_000);
  await control.settleFunds();
  expect(await cards.readRefund(refund.refundId ?? '')).toMatchObject({
    status: 'succeeded',
    pendingReason: null,
  });
});

test('an early fraud warning names its payment', async () => {
  const intent = await control.stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  await control.changeCharge(String(intent.latest_charge), { earlyFraudWarning: 'made_with_stolen_card' });
  const { data } = await control.stripe.radar.earlyFraudWarnings.list({ payment_intent: intent.id });
  const warningId = data[0]?.id ?? '';
  expect(await cards.readFraudWarning(warningId)).toEqual({
    warningId,
    transactionId: intent.id,
    fraudType: 'made_with_stolen_card',
    isActionable: true,
  });
  expect(await cards.readFraudWarning('issfr_unknown')).toBeNull();
});
