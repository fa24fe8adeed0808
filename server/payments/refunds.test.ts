import { describe, expect, test } from 'vitest';
import { readOwnData } from '#contract/accounts.ts';
import {
  aDayLater,
  anHourLater,
  held,
  letters,
  type MoneyShop,
  moneyShopForTests,
} from '#tests/harness/payment-shop.ts';
import type { TestShop } from '#tests/harness/shop.ts';

const failingCard = '4000000000005126';
const slowCard = '4000000000007726';
const disputedCard = '4000000000000259';
const goodCard = '4242424242424242';
const refundsPath = { method: 'POST', path: '/v1/refunds' } as const;
const refundPath = { method: 'GET', path: '/v1/refunds/*' } as const;

let money: MoneyShop;
let shop: TestShop;

moneyShopForTests((started) => {
  money = started;
  shop = started.shop;
});

describe('a refund that takes its time', () => {
  test('is pending, and nobody is told that money went back, until the event says so', async () => {
    const { buyer, transactionId } = await money.owed(slowCard);
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({
      state: 'pending',
      card_refund_id: expect.any(String),
    });
    expect(money.subjectsTo(buyer)).not.toContain(letters.back);

    await shop.cards.faults({});
    await shop.cards.later();
    await expect.poll(async () => (await money.refundOf(transactionId)).state).toBe('done');
    await money.settled();
    expect(money.subjectsTo(buyer).filter((subject) => subject === letters.back)).toHaveLength(1);
    expect(await money.trail(transactionId)).toEqual([]);
  });

  test('is asked about again when no event comes', async () => {
    const { buyer, transactionId } = await money.owed(slowCard);
    await money.settled();
    await shop.reconcile(anHourLater());
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'pending' });
    await shop.cards.later();
    await shop.reconcile(new Date(anHourLater().getTime() + 3_600_000));
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'done' });
    await money.settled();
    expect(money.subjectsTo(buyer)).toContain(letters.back);
    expect(await money.atProcessor(transactionId)).toEqual(['succeeded']);
  });
});

describe('a refund that fails', () => {
  test('days later is told to the buyer and to each living admin, and stands in the audit trail', async () => {
    const { buyer, transactionId, report } = await money.owed(failingCard);
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'done' });
    expect(money.subjectsTo(buyer)).toEqual(expect.arrayContaining([letters.back]));

    await shop.cards.faults({});
    await shop.cards.later();
    await expect.poll(async () => (await money.refundOf(transactionId)).state).toBe('failed');
    await money.settled();

    expect(await money.refundOf(transactionId)).toMatchObject({ failure_reason: 'expired_or_canceled_card' });
    const letter = shop.mails.find(({ to, subject }) => to === buyer.email && subject === letters.failed);
    expect(letter?.text).toContain('$549.99');
    expect(letter?.text).toContain('still yours');
    const [ada, second, ended] = money.admins.map(money.subjectsTo);
    expect([ada, second, ended]).toEqual([[letters.toAdmin], [letters.toAdmin], []]);
    const toAdmin = shop.mails.find(({ subject }) => subject === letters.toAdmin);
    expect(toAdmin?.text).toContain(`npm run admin -- refund-again ${transactionId}`);
    expect(toAdmin?.text).toContain(buyer.email);
    expect(await money.trail(transactionId)).toEqual([
      ['Refund failed', 'Card processor', '$549.99, attempt 1: expired or canceled card'],
    ]);
    const { refunds } = await buyer.client.call(readOwnData, {});
    expect(refunds).toMatchObject([{ transactionId, state: 'failed' }]);
    await expect(report()).rejects.toMatchObject({
      message: expect.stringContaining('Giving your money back to your card has failed'),
    });
  });

  test('at once was never on its way back', async () => {
    const { buyer, transactionId } = await money.owed(failingCard, () =>
      shop.cards.faults({ ...held, calls: [{ ...refundPath, kind: 'hold' }] }),
    );
    await shop.cards.untilHeld(1);
    await shop.cards.later();
    await shop.cards.release();
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'failed' });
    expect(money.subjectsTo(buyer)).toContain(letters.failed);
    expect(money.subjectsTo(buyer)).not.toContain(letters.back);
  });

  test('is told once when two learn of it at the same moment', async () => {
    const { buyer, transactionId } = await money.owed(failingCard);
    await money.settled();
    await shop.cards.later();
    await shop.cards.faults({ ...held, calls: [{ ...refundPath, kind: 'hold', times: 2 }] });
    await shop.cards.deliver({ events: (await shop.cards.events(transactionId)).slice(-1) });
    await shop.cards.untilHeld(1);
    const reconciling = shop.reconcile(aDayLater());
    await shop.cards.untilHeld(2);
    await shop.cards.release();
    await reconciling;
    await money.settled();
    expect(await money.trail(transactionId)).toHaveLength(1);
    expect(money.subjectsTo(buyer).filter((subject) => subject === letters.failed)).toHaveLength(1);
  });

  test('stays failed when an older answer comes late, and a late letter does not say that money went back', async () => {
    const { buyer, transactionId } = await money.owed(failingCard, () =>
      shop.cards.faults({ ...held, calls: [{ ...refundPath, kind: 'hold', moment: 'after' }] }),
    );
    await shop.cards.untilHeld(1);
    await shop.cards.later();
    await shop.reconcile(anHourLater());
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'failed' });
    // What was answered before it failed.
    await shop.cards.release();
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'failed' });
    expect(money.subjectsTo(buyer)).not.toContain(letters.back);

    const { transactionId: second, buyer: other } = await money.owed(failingCard);
    await money.settled();
    await shop.cards.later();
    await shop.reconcile(aDayLater());
    await money.settled();
    shop.mails.length = 0;
    await shop.connection.pool.query(
      `update pgboss.job set state = 'retry', completed_on = null, start_after = now()
       where name = 'payments.refunded' and data->>'refundId' in (select id::text from refunds where transaction_id = $1)`,
      [second],
    );
    await money.settled();
    expect(money.subjectsTo(other)).toEqual([]);
  });

  test('because the card processor has never heard of it is told; one that was done is left at that', async () => {
    const [waiting, done] = [await money.owed(slowCard), await money.owed(goodCard)];
    await money.settled();
    for (const { transactionId } of [waiting, done]) {
      await shop.connection.pool.query(
        `update refunds set card_refund_id = 're_of_another_account_' || attempt || state where transaction_id = $1`,
        [transactionId],
      );
    }
    await shop.reconcile(aDayLater());
    await money.settled();
    expect(await money.refundOf(waiting.transactionId)).toMatchObject({
      state: 'failed',
      failure_reason: 'unknown_to_the_card_processor',
    });
    expect(await money.refundOf(done.transactionId)).toMatchObject({ state: 'done' });
  });

  test('because the payment is disputed is not asked for over and over', async () => {
    const { buyer, transactionId } = await money.owed(disputedCard, () => shop.cards.later());
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({
      state: 'failed',
      failure_reason: 'charge_disputed',
      card_refund_id: null,
    });
    expect(money.subjectsTo(buyer)).toContain(letters.failed);
    await shop.reconcile(anHourLater());
    await money.settled();
    expect(await money.trail(transactionId)).toHaveLength(1);
  });

  test('is taken over once, however often and in whatever order its events come', async () => {
    const { buyer, transactionId } = await money.owed(failingCard);
    await money.settled();
    await shop.cards.later();
    const events = await shop.cards.events(transactionId);
    await shop.cards.deliver({ events, order: 'reversed', copies: 3 });
    await money.settled();
    await shop.cards.deliver({ events, copies: 2 });
    // As if each were new: who follows an old one asks, too.
    await shop.connection.pool.query('delete from webhook_events');
    await shop.cards.deliver({ events });
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'failed', attempt: 1 });
    expect(await money.trail(transactionId)).toHaveLength(1);
    expect(money.subjectsTo(buyer).filter((subject) => subject === letters.failed)).toHaveLength(1);
    expect(money.admins.map(money.subjectsTo)).toEqual([[letters.toAdmin], [letters.toAdmin], []]);
    expect(await money.atProcessor(transactionId)).toEqual(['failed']);
  });

  test('is noticed within a day when its event never comes', async () => {
    const { transactionId } = await money.owed(failingCard);
    await money.settled();
    await shop.cards.later();
    await shop.reconcile(anHourLater());
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'done' });
    await shop.reconcile(aDayLater());
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'failed' });
    await money.settled();
  });

  test('is known also when the version before gave it back, which did not ask for its name', async () => {
    const { transactionId } = await money.owed(failingCard);
    await money.settled();
    await shop.connection.pool.query(
      'update refunds set card_refund_id = null, next_check_at = null where transaction_id = $1',
      [transactionId],
    );
    await shop.cards.faults({});
    await shop.cards.later();
    await expect.poll(async () => (await money.refundOf(transactionId)).state).toBe('failed');
    await money.settled();
  });

  test('counts in the figures by its state', async () => {
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

describe('an answer that gets lost', () => {
  test.each([
    ['of making the refund', { ...refundsPath, kind: 'disconnect', moment: 'after', times: 3 }],
    ['of asking how it stands', { ...refundPath, kind: 'disconnect', moment: 'before', times: 3 }],
  ] as const)('%s: the money goes back once', async (_which, fault) => {
    const { transactionId } = await money.owed(goodCard, () =>
      shop.cards.faults({ ...held, calls: [fault] }),
    );
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'done', attempt: 1 });
    expect(await money.atProcessor(transactionId)).toEqual(['succeeded']);
  });

  test('of making one that fails meanwhile: that is known, and no other is made in silence', async () => {
    const { transactionId } = await money.owed(failingCard, () =>
      shop.cards.faults({
        ...held,
        calls: [{ ...refundsPath, kind: 'disconnect', moment: 'after', times: 3 }],
      }),
    );
    await expect.poll(() => money.atProcessor(transactionId)).toEqual(['succeeded']);
    await shop.cards.later();
    await money.settled();
    expect(await money.refundOf(transactionId)).toMatchObject({ state: 'failed', attempt: 1 });
    expect(await money.atProcessor(transactionId)).toEqual(['failed']);
  });
});
