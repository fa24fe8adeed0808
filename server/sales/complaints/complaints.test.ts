// Complaints on a real database: each way from the complaint to its end, with the money at the card processor.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import * as contract from '#contract/sales/complaints.ts';
import { confirmOrder, handOver, readOrder, refundOrder as refundByAdmin } from '#contract/sales/orders.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { applyComplaintDeadlines } from './deadlines.ts';

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

let shop: TestShop;
let admin: Person;
let sale: Sale;

beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: { basisPoints: 500, fixedCents: 100 } },
  });
  admin = await shop.admin();
});
beforeEach(async () => {
  sale = await sellLaptop(shop);
});
afterAll(async () => {
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
});

const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);
const params = () => ({ _id: sale.orderId });
const complain = (kind: contract.ComplaintKind = 'does_not_work', idempotencyKey?: string) =>
  sale.buyer.client.call(contract.complain, {
    params: params(),
    body: { kind, text: 'It does not start.' },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
type Body<Move> = { move: Move; amount?: number; text?: string };
const asBuyer = (body: Body<(typeof contract.buyerAnswers)[number]>, person = sale.buyer) =>
  person.client.call(contract.answerAsBuyer, { params: params(), body });
const asSeller = (body: Body<(typeof contract.sellerAnswers)[number]>, person = sale.seller) =>
  person.client.call(contract.answerAsSeller, { params: params(), body: { text: 'I see it so.', ...body } });
const decide = (move: (typeof contract.decisionsOfComplaint)[number], amount?: number) =>
  admin.client.call(contract.decideComplaint, {
    params: params(),
    body: { move, text: 'We have looked at it.', ...(amount !== undefined && { amount }) },
  });
const say = (person: Person, text = 'And it is loud.') =>
  person.client.call(contract.sayAboutComplaint, { params: params(), body: { text } });
const read = (person = sale.buyer) => person.client.call(readOrder, { params: params() });
const state = async () => (await read()).state;
const complaints = (person = sale.buyer) =>
  person.client.call(contract.listComplaintsOfOrder, { params: params() });
const refundedCents = async () => {
  await waitForJobs();
  return shop.cards.refundedCents(sale.transactionId);
};
const laptopState = async () => {
  const { rows } = await shop.connection.pool.query('select state from laptops where id = $1', [
    sale.laptopId,
  ]);
  return rows[0].state;
};
const deadlines = async (days: number) => {
  const { enqueue } = shop;
  const { database } = shop.connection;
  await moveOverdueOrders({ database, enqueue }, inDays(days));
  await applyComplaintDeadlines({ database, enqueue }, inDays(days));
};
const mailsTo = async (person: Person) => {
  await waitForJobs();
  return shop.mails.filter(({ to }) => to === person.email);
};
const refused = (code: string, words?: string) => ({
  code,
  ...(words !== undefined && { message: expect.stringContaining(words) }),
});

describe('a complaint', () => {
  test.each(['not_as_described', 'locked', 'does_not_work'] as const)(
    '%s: the seller agrees, the laptop returns, then the whole price goes back',
    async (kind) => {
      await complain(kind);
      expect(await read()).toMatchObject({ state: 'complaint', moves: ['withdraw'] });
      await asSeller({ move: 'accept' });
      expect(await state()).toBe('awaiting_return');
      expect(await refundedCents()).toBe(0);
      await asBuyer({ move: 'report_return' });
      expect(await state()).toBe('return_reported');
      await asSeller({ move: 'confirm_return' });
      expect(await read()).toMatchObject({ state: 'refunded', refunded: 549.99 });
      expect(await refundedCents()).toBe(54_999);
      expect(await laptopState()).toBe('withdrawn');
      const [complaint] = await complaints();
      expect(complaint).toMatchObject({ kind, isOpen: false, offered: null });
      expect(complaint?.statements.map(({ by, move }) => [by, move])).toEqual([
        ['buyer', 'complain'],
        ['seller', 'accept'],
        ['buyer', 'report_return'],
        ['seller', 'confirm_return'],
      ]);
    },
  );

  test('about a laptop that was never handed over gives the money back at once, and the laptop to its seller', async () => {
    await complain('not_handed_over');
    await asSeller({ move: 'accept' });
    expect(await state()).toBe('refunded');
    expect(await refundedCents()).toBe(54_999);
    expect(await laptopState()).toBe('withdrawn');
  });

  test('is no longer about a missing hand-over when the code was entered', async () => {
    const body = { code: sale.code };
    await sale.seller.client.call(handOver, { params: params(), body });
    await expect(complain('not_handed_over')).rejects.toMatchObject(
      refused('complaint_refused', 'it was handed over'),
    );
    await complain('locked');
    expect(await state()).toBe('complaint');
  });

  test('that is taken back before the hand-over leaves the money held, and the code works again', async () => {
    await complain('not_handed_over');
    expect(await asBuyer({ move: 'withdraw' })).toMatchObject({ modifiedCount: 1 });
    expect(await asBuyer({ move: 'withdraw' })).toMatchObject({ modifiedCount: 0 });
    const held = await read();
    expect(held).toMatchObject({ state: 'held', handoverCode: sale.code });
    expect(Date.parse(held.dueAt ?? '') - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
    await sale.seller.client.call(handOver, { params: params(), body: { code: sale.code } });
    expect(await state()).toBe('released');
  });

  test('that is taken back after the release releases nothing twice', async () => {
    await deadlines(7.1);
    await complain('not_handed_over');
    await asBuyer({ move: 'withdraw' });
    expect(await state()).toBe('released');
    expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ held: 0, due: 521.5 });
  });

  test('repeated with its key is one; without, the order has moved on', async () => {
    const key = crypto.randomUUID();
    const [first, again] = [await complain('locked', key), await complain('locked', key)];
    expect(again).toEqual(first);
    await expect(complain('locked')).rejects.toMatchObject(refused('order_moved'));
    expect(await complaints()).toHaveLength(1);
  });

  test('made twice at once is one', async () => {
    const results = await Promise.allSettled([complain(), complain(), complain()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await complaints()).toHaveLength(1);
  });

  test('stops the release: no deadline, no code and no confirmation moves the money', async () => {
    await complain();
    await deadlines(4.9);
    expect(await state()).toBe('complaint');
    const body = { code: sale.code };
    await expect(sale.seller.client.call(handOver, { params: params(), body })).rejects.toMatchObject(
      refused('order_moved'),
    );
    await expect(sale.buyer.client.call(confirmOrder, { params: params() })).rejects.toMatchObject(
      refused('order_moved'),
    );
    expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ held: 521.5, due: 0 });
  });

  test('and a release at once: one comes first, and the complaint still counts', async () => {
    await Promise.allSettled([complain(), sale.buyer.client.call(confirmOrder, { params: params() })]);
    const after = await read();
    const events = after.timeline.map(({ event }) => event);
    if (after.state === 'complaint') expect([2, 3]).toContain(events.length);
    else expect(events).toEqual(['paid', 'confirm']);
  });

  test('after the time for it is refused in words', async () => {
    await deadlines(7.1);
    await deadlines(14.1);
    expect(await state()).toBe('completed');
    await expect(complain()).rejects.toMatchObject(refused('order_moved', 'has moved on'));
  });

  test('three times is the most, and does not prolong the time for complaints', async () => {
    await sale.buyer.client.call(confirmOrder, { params: params() });
    const { dueAt } = await read();
    for (let time = 1; time <= contract.MAXIMUM_COMPLAINTS; time += 1) {
      await complain();
      await asBuyer({ move: 'withdraw' });
    }
    await expect(complain()).rejects.toMatchObject(refused('complaint_refused', '3 times'));
    expect(await read()).toMatchObject({ state: 'released' });
    const days = (Date.parse((await read()).dueAt ?? '') - Date.parse(dueAt ?? '')) / DAY_MS;
    expect(Math.abs(days)).toBeLessThan(0.01);
  });
});

describe('an offer', () => {
  test('that is taken gives that part back; the rest is the seller’s, less a lower commission', async () => {
    await complain();
    await asSeller({ move: 'offer', amount: 100 });
    expect(await complaints()).toMatchObject([{ isOpen: true, offered: 100 }]);
    await expect(asBuyer({ move: 'take_offer', amount: 120 })).rejects.toMatchObject(
      refused('price_differs', '$100.00'),
    );
    expect(await asBuyer({ move: 'take_offer', amount: 100 })).toMatchObject({ modifiedCount: 1 });
    expect(await asBuyer({ move: 'take_offer', amount: 100 })).toMatchObject({ modifiedCount: 0 });
    expect(await read()).toMatchObject({ state: 'released', refunded: 100 });
    expect(await refundedCents()).toBe(10_000);
    // Of the commission of $28.49, $23.30 are left in proportion, rounded down.
    expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ held: 0, due: 426.69 });
  });

  test('is less than the price, three times at most, and the buyer can decline', async () => {
    await complain();
    await expect(asSeller({ move: 'offer', amount: 549.99 })).rejects.toMatchObject(
      refused('invalid_input', 'less than $549.99'),
    );
    for (const amount of [10, 20, 30]) {
      await asSeller({ move: 'offer', amount });
      await asBuyer({ move: 'decline_offer' });
      expect(await state()).toBe('contested');
    }
    await expect(asSeller({ move: 'offer', amount: 40 })).rejects.toMatchObject(
      refused('complaint_refused', '3 offers'),
    );
    await decide('decide_part', 35);
    expect(await refundedCents()).toBe(3_500);
  });

  test('that nobody answers counts as accepted after seven days', async () => {
    await complain();
    await asSeller({ move: 'offer', amount: 50 });
    await deadlines(6.9);
    expect(await state()).toBe('offered');
    await deadlines(7.1);
    expect(await read()).toMatchObject({ state: 'released', refunded: 50 });
  });
});

describe('an admin', () => {
  const contest = async (kind: contract.ComplaintKind = 'does_not_work') => {
    await complain(kind);
    await asSeller({ move: 'contest' });
    expect(await state()).toBe('contested');
  };

  test.each([
    ['decide_refund', undefined, 'refunded', 54_999, 'sold'],
    ['decide_part', 200, 'released', 20_000, 'sold'],
    ['decide_release', undefined, 'released', 0, 'sold'],
    ['decide_return', undefined, 'awaiting_return', 0, 'sold'],
  ] as const)('%s', async (move, amount, to, cents, laptop) => {
    await contest();
    expect(await decide(move, amount)).toMatchObject({ modifiedCount: 1 });
    expect(await decide(move, amount)).toMatchObject({ modifiedCount: 0 });
    expect(await state()).toBe(to);
    expect(await refundedCents()).toBe(cents);
    expect(await laptopState()).toBe(laptop);
    const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
    expect(entry).toMatchObject({
      act: 'Decided complaint',
      subject: expect.stringContaining(sale.transactionId),
      note: expect.stringContaining('We have looked at it.'),
    });
  });

  test('decides for a return of what was not handed over: the money goes back at once', async () => {
    await contest('not_handed_over');
    await decide('decide_return');
    expect(await state()).toBe('refunded');
  });

  test('decides a denied return; of two decisions at once one is made', async () => {
    await contest();
    await decide('decide_return');
    await asBuyer({ move: 'report_return' });
    await asSeller({ move: 'deny_return' });
    expect(await state()).toBe('contested');
    const results = await Promise.allSettled([decide('decide_refund'), decide('decide_release')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const released = (await state()) === 'released';
    expect(await refundedCents()).toBe(released ? 0 : 54_999);
    // A return that counts as made gives the laptop to its seller.
    expect(await laptopState()).toBe(released ? 'sold' : 'withdrawn');
  });

  test('cannot send the laptop back for ever', async () => {
    await contest();
    for (let time = 1; time <= contract.MAXIMUM_RETURN_DECISIONS; time += 1) {
      await decide('decide_return');
      await asBuyer({ move: 'report_return' });
      await asSeller({ move: 'deny_return' });
    }
    await expect(decide('decide_return')).rejects.toMatchObject(
      refused('complaint_refused', 'decide where the money goes'),
    );
    await asSeller({ move: 'accept' });
    expect(await state()).toBe('refunded');
  });

  test('sees the open complaints, the contested ones first, and the settled ones', async () => {
    await contest();
    const contested = sale.orderId;
    sale = await sellLaptop(shop);
    await complain('locked');
    const list = (name: 'open' | 'closed', limit: number) =>
      everyPage((from) =>
        admin.client.page(contract.listComplaints, { query: { list: name, limit, ...from } }),
      );
    const all = await list('open', 1);
    const states = all.map(({ state: each }) => each);
    expect(states.lastIndexOf('contested')).toBeLessThan(states.findIndex((each) => each !== 'contested'));
    const ids = all.map(({ orderId }) => orderId);
    expect(ids).toEqual(expect.arrayContaining([contested, sale.orderId]));
    expect(new Set(ids).size).toBe(ids.length);
    await asBuyer({ move: 'withdraw' });
    expect(await list('closed', 100)).toContainEqual(
      expect.objectContaining({ orderId: sale.orderId, kind: 'locked', price: 549.99, state: 'released' }),
    );
    expect((await list('open', 100)).map(({ orderId }) => orderId)).not.toContain(sale.orderId);
  });
});

describe('the deadline', () => {
  test('of an unanswered complaint gives the money back, after the return', async () => {
    await complain();
    await deadlines(5.1);
    expect(await state()).toBe('awaiting_return');
    await asSeller({ move: 'confirm_return' });
    expect(await refundedCents()).toBe(54_999);
  });

  test('of an undecided complaint gives the money back; of a laptop that does not return, to the seller', async () => {
    await complain();
    await asSeller({ move: 'contest' });
    await deadlines(13.9);
    expect(await state()).toBe('contested');
    await deadlines(14.1);
    expect(await state()).toBe('awaiting_return');
    await deadlines(14.1);
    expect(await state()).toBe('released');
    expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ due: 521.5 });
  });

  test('of an unanswered return gives the money back, and in several processes once', async () => {
    await complain();
    await asSeller({ move: 'accept' });
    await asBuyer({ move: 'report_return' });
    await Promise.all([deadlines(5.1), deadlines(5.1), deadlines(5.1)]);
    expect(await read()).toMatchObject({ state: 'refunded', refunded: 549.99 });
    expect((await read()).timeline.filter(({ event }) => event === 'assume_return')).toHaveLength(1);
    expect(await laptopState()).toBe('withdrawn');
  });

  test('after a denied return that nobody decides is for the buyer, at once', async () => {
    await complain();
    await asSeller({ move: 'accept' });
    await asBuyer({ move: 'report_return' });
    await asSeller({ move: 'deny_return' });
    await deadlines(14.1);
    expect(await state()).toBe('refunded');
  });
});

describe('the seller', () => {
  test('gives a sale up: the whole price goes back, the buyer reads why, and again changes nothing', async () => {
    const cancel = () =>
      sale.seller.client.call(contract.cancelSale, {
        params: params(),
        body: { text: 'It fell off the table.' },
      });
    expect(await cancel()).toMatchObject({ modifiedCount: 1 });
    expect(await cancel()).toMatchObject({ modifiedCount: 0 });
    expect(await read()).toMatchObject({ state: 'refunded', cancelReason: 'It fell off the table.' });
    expect(await refundedCents()).toBe(54_999);
    const mails = await mailsTo(sale.buyer);
    const [cancelled] = mails.filter(({ text }) => text.includes('The seller’s reason is on the order.'));
    expect(cancelled?.text).toContain(`/dashboard/order/${sale.orderId}`);
    expect(cancelled?.text).not.toContain('table');
    await expect(complain()).rejects.toMatchObject(refused('order_moved'));
  });

  test('gives a sale up whose whole price the shop gave back as goodwill: the shop gets that back, and nothing is refunded twice', async () => {
    const body = { amount: 549.99, from: 'shop', text: 'Sorry for the wait.' } as const;
    await admin.client.call(refundByAdmin, { params: params(), body });
    const cancel = { params: params(), body: { text: 'It fell.' } };
    expect(await sale.seller.client.call(contract.cancelSale, cancel)).toMatchObject({ modifiedCount: 1 });
    expect(await read()).toMatchObject({ state: 'refunded', refunded: 549.99, goodwill: 0 });
    expect(await refundedCents()).toBe(54_999);
  });

  test('cannot give it up after the hand-over; of both at once one is done', async () => {
    const cancel = () =>
      sale.seller.client.call(contract.cancelSale, { params: params(), body: { text: 'It fell.' } });
    const body = { code: sale.code };
    const both = await Promise.allSettled([
      cancel(),
      sale.seller.client.call(handOver, { params: params(), body }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const wasCancelled = (await state()) === 'refunded';
    expect(await refundedCents()).toBe(wasCancelled ? 54_999 : 0);
    if (!wasCancelled) await expect(cancel()).rejects.toMatchObject(refused('order_moved'));
  });
});

describe('another person', () => {
  test('neither reads nor answers, in the words for an order that does not exist', async () => {
    await complain();
    const [buyer, seller] = [await shop.buyer(), await shop.seller()];
    const unknown = refused('not_found', 'There is no such order of yours.');
    for (const person of [buyer, seller]) {
      await expect(complaints(person)).rejects.toMatchObject(unknown);
      await expect(say(person)).rejects.toMatchObject(unknown);
    }
    await expect(asBuyer({ move: 'withdraw' }, buyer)).rejects.toMatchObject(unknown);
    await expect(asSeller({ move: 'accept' }, seller)).rejects.toMatchObject(unknown);
    const cancel = { params: params(), body: { text: 'Mine now.' } };
    await expect(seller.client.call(contract.cancelSale, cancel)).rejects.toMatchObject(unknown);
    expect(await state()).toBe('complaint');
  });

  test('in another role is not allowed: the seller takes no offer, the buyer confirms no return', async () => {
    await complain();
    const notAllowed = refused('not_allowed');
    await expect(asBuyer({ move: 'withdraw' }, sale.seller)).rejects.toMatchObject(notAllowed);
    await expect(asSeller({ move: 'accept' }, sale.buyer)).rejects.toMatchObject(notAllowed);
    const body = { move: 'decide_refund', text: 'Mine.' } as const;
    for (const person of [sale.buyer, sale.seller]) {
      await expect(
        person.client.call(contract.decideComplaint, { params: params(), body }),
      ).rejects.toMatchObject(notAllowed);
    }
  });
});

describe('statements', () => {
  test('reach the other side once, and are quoted on the order only', async () => {
    await complain();
    await waitForJobs();
    const before = (await mailsTo(sale.seller)).length;
    await say(sale.buyer, 'The fan is loud, see www.example.com.');
    const mails = (await mailsTo(sale.seller)).slice(before);
    expect(mails.map(({ subject }) => subject)).toEqual(['A statement about your sale of EliteBook 840 G8']);
    expect(mails[0]?.text).toContain(`/dashboard/order/${sale.orderId}`);
    expect(mails[0]?.text).not.toContain('The fan is loud');
    await say(admin, 'Please show a photo.');
    expect((await mailsTo(sale.seller)).length).toBe(before + 2);
    const [complaint] = await complaints(sale.seller);
    expect(complaint?.statements.map(({ by, text }) => [by, text])).toEqual([
      ['buyer', 'It does not start.'],
      ['buyer', 'The fan is loud, see www.example.com.'],
      ['admin', 'Please show a photo.'],
    ]);
  });

  test('are eight by each side at most, and never keep the other side from answering', async () => {
    await complain();
    for (let time = 1; time <= contract.MAXIMUM_OWN_STATEMENTS; time += 1) await say(sale.buyer);
    await expect(say(sale.buyer)).rejects.toMatchObject(refused('complaint_refused', 'was not kept'));
    await say(sale.seller);
    await asSeller({ move: 'contest' });
    expect(await state()).toBe('contested');
  });

  test('need an open complaint', async () => {
    await expect(say(sale.buyer)).rejects.toMatchObject(refused('order_moved'));
    await complain();
    await asBuyer({ move: 'withdraw' });
    await expect(say(sale.buyer)).rejects.toMatchObject(refused('order_moved'));
  });

  test('of many characters or with many photos are refused', async () => {
    const url = (n: number) =>
      `${shop.origin}/photos/${String(n).repeat(64).slice(0, 64)}-1280x960-${'0'.repeat(36)}/1280.webp`;
    const body = { kind: 'locked', text: 'x', photos: [1, 2, 3, 4, 5, 6, 7].map(url) } as const;
    await expect(sale.buyer.client.call(contract.complain, { params: params(), body })).rejects.toMatchObject(
      refused('invalid_input', 'up to 6 photos'),
    );
    await expect(
      sale.buyer.client.call(contract.complain, {
        params: params(),
        body: { kind: 'locked', text: 'x'.repeat(2_001) },
      }),
    ).rejects.toMatchObject(refused('invalid_input'));
    expect(await state()).toBe('held');
  });
});

describe('emails', () => {
  test('tell each move once, admins of a contested complaint, and the one who must answer two days before', async () => {
    await complain();
    await waitForJobs();
    const sellers = () => mailsTo(sale.seller);
    expect((await sellers()).filter(({ text }) => text.includes('The buyer has complained'))).toHaveLength(1);
    const remind = async (days: number) => {
      const { database } = shop.connection;
      const { enqueue } = shop;
      await applyComplaintDeadlines({ database, enqueue }, inDays(days));
    };
    const due = async (person: Person) =>
      (await mailsTo(person)).filter(
        ({ subject }) => subject === 'Your answer about EliteBook 840 G8 is due',
      );
    await remind(2.9);
    expect(await due(sale.seller)).toHaveLength(0);
    await Promise.all([remind(3.1), remind(3.1)]);
    await remind(3.2);
    expect(await due(sale.seller)).toHaveLength(1);
    const decisions = async () =>
      (await mailsTo(admin)).filter(({ subject }) => subject.includes('waits for a decision'));
    const before = (await decisions()).length;
    await asSeller({ move: 'contest' });
    expect((await decisions()).length).toBe(before + 1);
    const admins = (await due(admin)).length;
    await remind(12.1);
    expect((await due(admin)).length).toBeGreaterThan(admins);
    expect(await due(sale.seller)).toHaveLength(1);
  });
});
