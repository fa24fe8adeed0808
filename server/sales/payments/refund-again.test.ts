import { describe, expect, test } from 'vitest';
import { runCommand } from '#tests/harness/operations/server-process.ts';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import {
  heldWebhooks,
  inOneDay,
  type PaymentShop,
  refundSubjects,
  setUpPaymentShop,
} from '#tests/harness/sales/payment-shop.ts';
import { retryRefund } from './refunds.ts';

const failingCard = '4000000000005126';

let paymentShop: PaymentShop;
let shop: TestShop;

setUpPaymentShop((started) => {
  paymentShop = started;
  shop = started.shop;
});

const again = (transactionId: string) =>
  runCommand('server/operations/commands/admin.ts', ['refund-again', transactionId], {
    DATABASE_URL: shop.database.url,
  });

// Each command is a process of its own. The tests that need no words of it do what it does.
describe('refund-again', () => {
  /** A refund that has failed. */
  async function failed() {
    const about = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await shop.reconcile(inOneDay());
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(about.transactionId)).toMatchObject({ state: 'failed' });
    return about;
  }

  test('refunds with a new idempotency key, records it, and ignores late events of the first attempt', async () => {
    const { buyer, transactionId } = await failed();
    shop.mails.length = 0;
    const said = await again(transactionId);
    expect([said.code, said.stdout]).toEqual([
      0,
      `$549.99 of EliteBook 840 G8, ${transactionId}: attempt 2 at giving it back begins within a minute of the shop’s running, and the audit trail will say how it ends.\n`,
    ]);
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({
      state: 'pending',
      attempt: 2,
      card_refund_id: null,
    });
    expect((await again(transactionId)).stderr).toBe(
      `The refund of ${transactionId} is under way already. Nothing was changed.\n`,
    );
    // News of the first attempt, before the second one has a name.
    const old = await shop.cards.listEventIds(transactionId);
    await shop.cards.deliverEvents({ events: old });
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'pending', attempt: 2 });

    await shop.cards.setFaults({ ...heldWebhooks, refunds: 'good' });
    await shop.reconcile(new Date());
    await paymentShop.waitForJobs();
    await shop.connection.pool.query('delete from webhook_events');
    await shop.cards.deliverEvents({ events: old, order: 'reversed' });
    await paymentShop.waitForJobs();

    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done', attempt: 2 });
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['failed', 'succeeded']);
    expect(paymentShop.emailSubjectsTo(buyer)).toEqual([refundSubjects.sent]);
    expect(await paymentShop.readAuditTrail(transactionId)).toEqual([
      ['Refund failed', 'Card processor', '$549.99, attempt 1: expired or canceled card'],
      ['Tried refund again', 'Command line', '$549.99, attempt 2'],
      ['Refund went through', 'Card processor', '$549.99, attempt 2'],
    ]);
    const done = await again(transactionId);
    expect([done.code, done.stderr]).toEqual([
      1,
      `The money of ${transactionId} has gone back already. Nothing was changed.\n`,
    ]);
  });

  test('fails again for a closed card, and notifies again', { tags: 'long' }, async () => {
    const { buyer, transactionId } = await failed();
    shop.mails.length = 0;
    await retryRefund(shop.connection.database, transactionId);
    await shop.reconcile(new Date());
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await shop.reconcile(inOneDay());
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed', attempt: 2 });
    expect(paymentShop.emailSubjectsTo(buyer)).toEqual([refundSubjects.sent, refundSubjects.failed]);
    expect((await paymentShop.readAuditTrail(transactionId)).at(-1)).toEqual([
      'Refund failed',
      'Card processor',
      '$549.99, attempt 2: expired or canceled card',
    ]);
  });

  test('is not marked as failed by a late response about the previous attempt', async () => {
    const { transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard);
    await paymentShop.waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await shop.cards.setFaults({
      ...heldWebhooks,
      calls: [{ method: 'GET', path: '/v1/refunds/*', kind: 'hold', moment: 'after' }],
    });
    await shop.cards.deliverEvents({ events: (await shop.cards.listEventIds(transactionId)).slice(-1) });
    await shop.cards.waitForHeldCalls(1);
    await shop.reconcile(inOneDay());
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'failed', attempt: 1 });
    await retryRefund(shop.connection.database, transactionId);
    await shop.cards.releaseHeldCalls();
    await paymentShop.waitForJobs();
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'pending', attempt: 2 });
  });

  test('refunds once if the response is lost', async () => {
    const { transactionId } = await failed();
    await retryRefund(shop.connection.database, transactionId);
    await shop.cards.setFaults({
      ...heldWebhooks,
      refunds: 'good',
      calls: [{ method: 'POST', path: '/v1/refunds', kind: 'disconnect', moment: 'after', times: 3 }],
    });
    await expect(shop.reconcile(new Date())).rejects.toMatchObject({ name: 'CardProcessorUnavailable' });
    // Nobody but reconciliation looks after it, and soon.
    await shop.reconcile(new Date(Date.now() + 31_000));
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({ state: 'done', attempt: 2 });
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['failed', 'succeeded']);
    await paymentShop.waitForJobs();
  });

  test('detects a refund made by hand meanwhile', { tags: 'long' }, async () => {
    const { transactionId } = await failed();
    await shop.cards.setFaults({ ...heldWebhooks, refunds: 'good' });
    const byHand = await shop.cards.stripe.refunds.create({ payment_intent: transactionId });
    await retryRefund(shop.connection.database, transactionId);
    await shop.reconcile(new Date());
    expect(await paymentShop.readRefund(transactionId)).toMatchObject({
      state: 'done',
      card_refund_id: byHand.id,
    });
    expect(await paymentShop.refundStatuses(transactionId)).toEqual(['failed', 'succeeded']);
    await paymentShop.waitForJobs();
  });

  test('reports when nothing is to be refunded', { tags: 'long' }, async () => {
    const { code, stderr } = await again('pi_Unknown');
    expect([code, stderr]).toEqual([1, 'No money of pi_Unknown is to be given back. Nothing was changed.\n']);
  });
});
