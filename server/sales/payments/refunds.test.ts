import { describe, expect, test } from 'vitest';
import { readOwnData } from '#contract/operations/privacy.ts';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import {
  heldWebhooks,
  inOneDay,
  inOneHour,
  type PaymentShop,
  refundSubjects,
  setUpPaymentShop,
} from '#tests/harness/sales/payment-shop.ts';

const failingCard = '4000000000005126';
const slowCard = '4000000000007726';
const disputedCard = '4000000000000259';
const goodCard = '4242424242424242';
const refundsPath = { method: 'POST', path: '/v1/refunds' } as const;
const refundPath = { method: 'GET', path: '/v1/refunds/*' } as const;

let paymentShop: PaymentShop;
let shop: TestShop;

setUpPaymentShop((started) => {
  paymentShop = started;
  shop = started.shop;
});

describe('a pending refund', () => {
  test('sends no email until the event reports success', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(slowCard);
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({
      state: 'pending',
      card_refund_id: expect.any(String),
    });
    expect(paymentShop.emailSubjectsTo(buyer)).not.toContain(refundSubjects.sent);

    await shop.cards.setFaults({});
    await shop.cards.runDelayedOutcomes();
    await expect.poll(async () => (await paymentShop.readRefund(transactionId)).state).toBe('done');
    await paymentShop.waitForJobs();
    expect(
      paymentShop.emailSubjectsTo(buyer).filter((subject) => subject === refundSubjects.sent),
    ).toHaveLength(1);
    expect(await paymentShop.readAuditTrail(transactionId)).toEqual([]);
  });

  test('is checked again without an event', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(slowCard);
    await paymentShop.waitForJobs();
    await shop.reconcile(inOneHour());
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'pending' });
    await shop.cards.runDelayedOutcomes();
    await shop.reconcile(new Date(inOneHour().getTime() + 3_600_000));
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done' });
    await paymentShop.waitForJobs();
    expect(paymentShop.emailSubjectsTo(buyer)).toContain(refundSubjects.sent);
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['succeeded']);
  });
});

describe('a refund that fails', () => {
  test('days later notifies the buyer and each active admin, and is in the audit trail', async () => {
    const { buyer, transactionId, report } = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done' });
    expect(paymentShop.emailSubjectsTo(buyer)).toEqual(expect.arrayContaining([refundSubjects.sent]));

    await shop.cards.setFaults({});
    await shop.cards.runDelayedOutcomes();
    await expect.poll(async () => (await paymentShop.readRefund(transactionId)).state).toBe('failed');
    await paymentShop.waitForJobs();

    expect(await paymentShop.readRefund(transactionId)).toMatchObject({
      failure_reason: 'expired_or_canceled_card',
    });
    const letter = shop.mails.find(
      ({ to, subject }) => to === buyer.email && subject === refundSubjects.failed,
    );
    expect(letter?.text).toContain('$549.99');
    expect(letter?.text).toContain('still yours');
    const [ada, second, ended] = paymentShop.admins.map(paymentShop.emailSubjectsTo);
    expect([ada, second, ended]).toEqual([[refundSubjects.toAdmin], [refundSubjects.toAdmin], []]);
    const toAdmin = shop.mails.find(({ subject }) => subject === refundSubjects.toAdmin);
    expect(toAdmin?.text).toContain(`npm run admin -- refund-again ${transactionId}`);
    expect(toAdmin?.text).toContain(buyer.email);
    expect(await paymentShop.readAuditTrail(transactionId)).toEqual([
      ['Refund failed', 'Card processor', '$549.99, attempt 1: expired or canceled card'],
    ]);
    const { refunds } = await buyer.client.call(readOwnData, {});
    expect(refunds).toMatchObject([{ transaction_id: transactionId, state: 'failed' }]);
    await expect(report()).rejects.toMatchObject({
      message: expect.stringContaining('Giving your money back to your card has failed'),
    });
  });

  test('immediately sends no email about a refund in progress', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard, () =>
      shop.cards.setFaults({ ...heldWebhooks, calls: [{ ...refundPath, kind: 'hold' }] }),
    );
    await shop.cards.waitForHeldCalls(1);
    await shop.cards.runDelayedOutcomes();
    await shop.cards.releaseHeldCalls();
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed' });
    expect(paymentShop.emailSubjectsTo(buyer)).toContain(refundSubjects.failed);
    expect(paymentShop.emailSubjectsTo(buyer)).not.toContain(refundSubjects.sent);
  });

  test('is notified once when it is detected twice concurrently', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await shop.cards.setFaults({ ...heldWebhooks, calls: [{ ...refundPath, kind: 'hold', times: 2 }] });
    await shop.cards.deliverEvents({ events: (await shop.cards.listEventIds(transactionId)).slice(-1) });
    await shop.cards.waitForHeldCalls(1);
    const reconciling = shop.reconcile(inOneDay());
    await shop.cards.waitForHeldCalls(2);
    await shop.cards.releaseHeldCalls();
    await reconciling;
    await paymentShop.waitForJobs();
    expect(await paymentShop.readAuditTrail(transactionId)).toHaveLength(1);
    expect(
      paymentShop.emailSubjectsTo(buyer).filter((subject) => subject === refundSubjects.failed),
    ).toHaveLength(1);
  });

  test('stays failed after a late older response, and a late email does not claim success', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard, () =>
      shop.cards.setFaults({ ...heldWebhooks, calls: [{ ...refundPath, kind: 'hold', moment: 'after' }] }),
    );
    await shop.cards.waitForHeldCalls(1);
    await shop.cards.runDelayedOutcomes();
    await shop.reconcile(inOneHour());
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed' });
    // What was answered before it failed.
    await shop.cards.releaseHeldCalls();
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed' });
    expect(paymentShop.emailSubjectsTo(buyer)).not.toContain(refundSubjects.sent);

    const { transactionId: second, buyer: other } = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await shop.reconcile(inOneDay());
    await paymentShop.waitForJobs();
    shop.mails.length = 0;
    await shop.connection.pool.query(
      `update pgboss.job set state = 'retry', completed_on = null, start_after = now()
       where data->>'type' = 'payments.refunded' and data->>'refundId' in (select id::text from refunds where transaction_id = $1)`,
      [second],
    );
    await paymentShop.waitForJobs();
    expect(paymentShop.emailSubjectsTo(other)).toEqual([]);
  });

  test('because the card processor does not know it is notified; a completed one is left unchanged', async () => {
    const [waiting, done] = [
      await paymentShop.chargeForRemovedLaptop(slowCard),
      await paymentShop.chargeForRemovedLaptop(goodCard),
    ];
    await paymentShop.waitForJobs();
    for (const { transactionId } of [waiting, done]) {
      await shop.connection.pool.query(
        `update refunds set card_refund_id = 're_of_another_account_' || attempt || state where transaction_id = $1`,
        [transactionId],
      );
    }
    await shop.reconcile(inOneDay());
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(waiting.transactionId)).toMatchObject({
      state: 'failed',
      failure_reason: 'unknown_to_the_card_processor',
    });
    expect(await paymentShop.readRefund(done.transactionId)).toMatchObject({ state: 'done' });
  });

  test('because the payment is disputed is not retried repeatedly', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(disputedCard, () =>
      shop.cards.runDelayedOutcomes(),
    );
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({
      state: 'failed',
      failure_reason: 'charge_disputed',
      card_refund_id: null,
    });
    expect(paymentShop.emailSubjectsTo(buyer)).toContain(refundSubjects.failed);
    await shop.reconcile(inOneHour());
    await paymentShop.waitForJobs();
    expect(await paymentShop.readAuditTrail(transactionId)).toHaveLength(1);
  });

  test('is recorded once for repeated and reordered events', async () => {
    const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    const events = await shop.cards.listEventIds(transactionId);
    await shop.cards.deliverEvents({ events, order: 'reversed', copies: 3 });
    await paymentShop.waitForJobs();
    await shop.cards.deliverEvents({ events, copies: 2 });
    // As if each were new: who follows an old one asks, too.
    await shop.connection.pool.query('delete from webhook_events');
    await shop.cards.deliverEvents({ events });
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed', attempt: 1 });
    expect(await paymentShop.readAuditTrail(transactionId)).toHaveLength(1);
    expect(
      paymentShop.emailSubjectsTo(buyer).filter((subject) => subject === refundSubjects.failed),
    ).toHaveLength(1);
    expect(paymentShop.admins.map(paymentShop.emailSubjectsTo)).toEqual([
      [refundSubjects.toAdmin],
      [refundSubjects.toAdmin],
      [],
    ]);
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['failed']);
  });

  test('is detected within a day without its event', async () => {
    const { transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await shop.reconcile(inOneHour());
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done' });
    await shop.reconcile(inOneDay());
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed' });
    await paymentShop.waitForJobs();
  });

  test('is counted in the metrics by its state', async () => {
    const { rows } = await shop.connection.pool.query(
      `select state, count(*)::int from refunds group by state`,
    );
    const text = await (await fetch(`${shop.origin}/metrics`)).text();
    for (const { state, count } of rows) {
      expect(text).toContain(`coomercio_refunds{state="${state}"} ${count}`);
    }
    expect(rows.find(({ state }) => state === 'failed').count).toBeGreaterThan(0);
    expect(text).toContain('coomercio_refunds{state="pending"} 0');
  });
});

describe('a lost response', () => {
  test.each([
    ['of making the refund', { ...refundsPath, kind: 'disconnect', moment: 'after', times: 3 }],
    ['of asking how it stands', { ...refundPath, kind: 'disconnect', moment: 'before', times: 3 }],
  ] as const)('%s: the payment is refunded once', async (_which, fault) => {
    const { transactionId } = await paymentShop.chargeForRemovedLaptop(goodCard, () =>
      shop.cards.setFaults({ ...heldWebhooks, calls: [fault] }),
    );
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done', attempt: 1 });
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['succeeded']);
  });

  test('to a request whose refund fails meanwhile: the failure is detected, and no second refund is made', async () => {
    const { transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard, () =>
      shop.cards.setFaults({
        ...heldWebhooks,
        calls: [{ ...refundsPath, kind: 'disconnect', moment: 'after', times: 3 }],
      }),
    );
    await expect.poll(() => paymentShop.refundStatuses(transactionId)).toEqual(['succeeded']);
    await shop.cards.runDelayedOutcomes();
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed', attempt: 1 });
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['failed']);
  });
});
