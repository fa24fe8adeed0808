import { listAmountsDue, recordSettlement } from '#contract/money/settlements.ts';
import { answerAsSeller, cancelSale, complain, decideComplaint } from '#contract/sales/complaints.ts';
import { buyLabel, listOrderLabels, quoteLabel, voidLabel } from '#contract/sales/labels.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import {
  confirmOrder,
  handOver,
  listWaitingRefunds,
  payRefundByHand,
  payWaitingRefund,
  type refundBearers,
  refundOrder,
} from '#contract/sales/orders.ts';
import { type parcelReports, receiveParcel, reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { applyParcelDeadlines } from '#server/sales/shipping/actions.ts';
import { signInAgain } from '#tests/harness/people/sign-in-again.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type CarrierFault, sampleSender, type TestCarriers } from '#tests/harness/sales/carriers.ts';
import { type Action, assert, bookingAt, laptopAt, outcomeOf, personAt, requireCode } from './actions.ts';
import { bookingKey, loseDisputes, shippedLaptop, type World } from './world.ts';

/** An order as it is now. */
interface CurrentOrder {
  id: string;
  buyer_id: string;
  handover_code: string;
  laptop_with_buyer: boolean;
  transaction_id: string;
  /** What of the price has not gone back to the buyer. */
  left_cents: number;
}

/** The latest order of a laptop; undefined while it is unsold. */
async function orderOf(world: World, laptop: number): Promise<CurrentOrder | undefined> {
  const { rows } = await world.shop.connection.pool.query<CurrentOrder>(
    `select id, buyer_id, handover_code, laptop_with_buyer, transaction_id,
            greatest(0, price_cents - refunded_cents - goodwill_cents) as left_cents from orders
      where laptop_id = $1 order by number desc limit 1`,
    [laptopAt(world, laptop)],
  );
  return rows[0];
}

const isAlwaysPossible = () => true;
const moveCodes = ['ok', 'order_moved', 'account_ended'];

export const confirmReceipt = (laptop: number): Action => ({
  name: `the buyer of laptop ${laptop} confirms`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    const buyer = world.buyers.find(({ userId }) => userId === order?.buyer_id);
    if (order === undefined || buyer === undefined) return;
    const call = buyer.client.call(confirmOrder, { params: { _id: order.id } });
    requireCode('Confirming', (await outcomeOf(call)).code, moveCodes);
  },
});

export const cancelBySeller = (laptop: number): Action => ({
  name: `the seller gives the sale of laptop ${laptop} up`,
  isPossible: (model) => model.bookings.size > 0 && !model.sellerEnded,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    if (order === undefined) return;
    const body = { text: 'It fell down.' };
    const call = world.seller.client.call(cancelSale, { params: { _id: order.id }, body });
    requireCode('Giving up', (await outcomeOf(call)).code, moveCodes);
  },
});

export const leaveLaptop = (laptop: number): Action => ({
  name: `the buyer of laptop ${laptop} does not take it, and the seller agrees`,
  isPossible: (model) => model.bookings.size > 0 && !model.sellerEnded,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    const buyer = world.buyers.find(({ userId }) => userId === order?.buyer_id);
    if (order === undefined || buyer === undefined) return;
    const params = { _id: order.id };
    const kind = laptop === shippedLaptop ? ('not_arrived' as const) : ('not_taken' as const);
    const complaint = { kind, text: 'The lid is broken.', photos: [] };
    const complained = await outcomeOf(buyer.client.call(complain, { params, body: complaint }));
    requireCode('Complaining', complained.code, [...moveCodes, 'complaint_refused']);
    const call = world.seller.client.call(answerAsSeller, { params, body: { move: 'accept' } });
    requireCode('Agreeing', (await outcomeOf(call)).code, moveCodes);
  },
});

export const meet = (buyer: number, laptop: number, days: number): Action => ({
  name: `buyer ${buyer} and the seller agree to meet about laptop ${laptop} in ${days} days`,
  isPossible: (model) => model.bookings.has(bookingKey(buyer, laptop)) && !model.sellerEnded,
  run: async (model, world) => {
    const { bookingId } = bookingAt(model, buyer, laptop);
    const { client } = personAt(world.buyers, buyer);
    const opened = await outcomeOf(client.call(openConversation, { body: { bookingId } }));
    requireCode('Opening a conversation', opened.code, [
      'ok',
      'not_found',
      'message_refused',
      'account_ended',
    ]);
    const _id = opened.answer?.insertedId;
    if (_id === undefined) return;
    const startsAt = new Date(Date.now() + days * 24 * 3_600_000).toISOString();
    const proposed = await outcomeOf(
      client.call(proposeMeeting, { params: { _id }, body: { place: 'Café Central', startsAt } }),
    );
    requireCode('Proposing', proposed.code, ['ok', 'message_refused', 'not_found', 'account_ended']);
    const meeting = proposed.answer?.insertedId;
    if (meeting === undefined) return;
    const call = world.seller.client.call(answerMeeting, {
      params: { _id },
      body: { meeting, answer: 'agree' },
    });
    requireCode('Agreeing to meet', (await outcomeOf(call)).code, [
      ...['ok', 'message_refused', 'not_found', 'account_ended'],
    ]);
  },
});

export const confirmForeignOrder = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} confirms the order of laptop ${laptop} of another buyer`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    const { client, userId } = personAt(world.buyers, buyer);
    if (order === undefined || order.buyer_id === userId) return;
    const call = client.call(confirmOrder, { params: { _id: order.id } });
    requireCode('Confirming somebody else’s order', (await outcomeOf(call)).code, [
      'not_found',
      'account_ended',
    ]);
  },
});

export const handLaptopOver = (laptop: number, isRight: boolean): Action => ({
  name: `the seller hands laptop ${laptop} over with a ${isRight ? 'right' : 'wrong'} code`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    if (order === undefined) return;
    const wrong = order.handover_code === '000000' ? '000001' : '000000';
    const body = { code: isRight ? order.handover_code : wrong };
    const call = world.seller.client.call(handOver, { params: { _id: order.id }, body });
    const { code, answer } = await outcomeOf(call);
    requireCode('Handing over', code, [...moveCodes, 'wrong_code']);
    assert(isRight || answer?.modifiedCount !== 1, 'A wrong code released an order.');
  },
});

export const passDays = (days: number): Action => ({
  name: `overdue orders are moved as if ${days} days had passed`,
  isPossible: isAlwaysPossible,
  run: async (_model, { shop }) => {
    const now = new Date(Date.now() + days * 24 * 3_600_000);
    const { database } = shop.connection;
    await moveOverdueOrders({ database, enqueue: shop.enqueue }, now);
    const cache = { waitForInvalidation: async () => undefined };
    await applyParcelDeadlines({ database, enqueue: shop.enqueue, cache }, now);
  },
});

export const sendParcel = (): Action => ({
  name: 'the seller hands the parcel to a carrier',
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, shippedLaptop);
    if (order === undefined) return;
    const body = { carrier: 'UPS', trackingNumber: `1Z${crypto.randomUUID()}` };
    const call = world.seller.client.call(shipParcel, { params: { _id: order.id }, body });
    requireCode('Sending', (await outcomeOf(call)).code, moveCodes);
  },
});

export const buyParcelLabel = (fault: CarrierFault | null): Action => ({
  name: `the seller buys a label${fault === null ? '' : `, with the fault ${fault}`}`,
  isPossible: (model) => model.bookings.size > 0 && !model.sellerEnded,
  run: async (_model, world) => {
    const order = await orderOf(world, shippedLaptop);
    if (order === undefined) return;
    const { client } = world.seller;
    if (fault !== null) await world.carriers.fail(fault);
    const body = { sender: sampleSender };
    const quoted = await outcomeOf(client.call(quoteLabel, { params: { _id: order.id }, body }));
    requireCode('Asking for prices', quoted.code, [...moveCodes, 'label_refused']);
    const [rate] = quoted.answer?.rates ?? [];
    if (quoted.answer === undefined || rate === undefined) return;
    const call = client.call(buyLabel, {
      params: { _id: quoted.answer._id },
      body: { rate: rate._id, price: rate.price },
    });
    // Another quote replaces the one that is bought.
    requireCode('Buying a label', (await outcomeOf(call)).code, [...moveCodes, 'not_found', 'label_refused']);
  },
});

export const waitForLabels = (): Action => ({
  name: 'carriers have sold what they were asked for',
  isPossible: isAlwaysPossible,
  run: (_model, { shop }) => waitForEmptyQueue(shop.connection.pool),
});

export const voidParcelLabels = (): Action => ({
  name: 'the seller gives labels back',
  isPossible: (model) => model.bookings.size > 0 && !model.sellerEnded,
  run: async (_model, world) => {
    const order = await orderOf(world, shippedLaptop);
    if (order === undefined) return;
    const { client } = world.seller;
    const { answer } = await outcomeOf(client.call(listOrderLabels, { params: { _id: order.id } }));
    for (const { _id } of answer?.labels ?? []) {
      const call = client.call(voidLabel, { params: { _id } });
      requireCode('Giving a label back', (await outcomeOf(call)).code, [
        'ok',
        'label_refused',
        'account_ended',
      ]);
    }
  },
});

export const reportOfCarrier = (status: Parameters<TestCarriers['report']>[1]): Action => ({
  name: `carriers report of a parcel: ${status}`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, { carriers }) => {
    const bought = (await carriers.shipments()).filter(({ postage_label }) => postage_label !== null);
    const [latest] = bought.slice(-1);
    if (latest !== undefined) await carriers.report(latest.id, status);
  },
});

export const receiveSentParcel = (): Action => ({
  name: 'the buyer has the parcel',
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, shippedLaptop);
    const buyer = world.buyers.find(({ userId }) => userId === order?.buyer_id);
    if (order === undefined || buyer === undefined) return;
    const call = buyer.client.call(receiveParcel, { params: { _id: order.id } });
    requireCode('Receiving', (await outcomeOf(call)).code, moveCodes);
  },
});

export const reportOfParcel = (move: (typeof parcelReports)[number]): Action => ({
  name: `the seller reports of the parcel: ${move}`,
  isPossible: (model) => model.bookings.size > 0 && !model.sellerEnded,
  run: async (_model, world) => {
    const order = await orderOf(world, shippedLaptop);
    if (order === undefined) return;
    const body = { move, text: 'The carrier says so.' };
    const call = world.seller.client.call(reportParcel, { params: { _id: order.id }, body });
    requireCode('Reporting', (await outcomeOf(call)).code, moveCodes);
  },
});

export const runTransfers = (minutes: number): Action => ({
  name: `a round of transfers runs as if ${minutes} minutes had passed`,
  isPossible: isAlwaysPossible,
  run: async (_model, { shop }) => {
    // Failures caused by faults are retried at the run's end.
    await shop.runPayouts(new Date(Date.now() + minutes * 60_000)).catch(() => undefined);
  },
});

export const paySellerByHand = (share: number): Action => ({
  name: `an admin pays the seller ${share * 100} % of what is due by hand`,
  isPossible: isAlwaysPossible,
  run: async (_model, { shop, admin, seller }) => {
    const due = await admin.client.call(listAmountsDue, { query: { limit: 100 } });
    const amount = due.find(({ _id }) => _id === seller.userId)?.due ?? 0;
    const part = Math.floor(amount * share * 100) / 100;
    if (part <= 0) return;
    const note = `by hand ${Math.random()}`;
    // A long run outlives the time in which a sign-in counts as recent.
    const call = (await signInAgain(shop, admin)).call(recordSettlement, {
      body: { kind: 'paid', sellerId: seller.userId, amount: part, note },
    });
    requireCode('Paying by hand', (await outcomeOf(call)).code, ['ok', 'more_than_due']);
  },
});

export const payOutAccounts = (): Action => ({
  name: 'the card processor pays all accounts out to their banks',
  isPossible: isAlwaysPossible,
  run: (_model, { shop }) => shop.cards.payOut(),
});

export const changeCapability = (status: 'active' | 'restricted'): Action => ({
  name: `the seller’s account becomes ${status}`,
  isPossible: isAlwaysPossible,
  run: (_model, { shop, accountId }) => shop.cards.changeAccount(accountId, { transfers: { status } }),
});

export const loseAllDisputes = (): Action => ({
  name: 'all disputes are lost',
  isPossible: isAlwaysPossible,
  // A lost response leaves a dispute open until the run's end.
  run: (_model, world) => loseDisputes(world).catch(() => undefined),
});

/** The buyer has the laptop, and keeps it: what is known of its sale stays true. */
export const refundWithoutReturn = (laptop: number): Action => ({
  name: `the buyer of laptop ${laptop} complains, and an admin decides for a refund without a return`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    const buyer = world.buyers.find(({ userId }) => userId === order?.buyer_id);
    if (order === undefined || buyer === undefined || !order.laptop_with_buyer) return;
    const params = { _id: order.id };
    const complaint = { kind: 'does_not_work' as const, text: 'It stays dark.', photos: [] };
    const complained = await outcomeOf(buyer.client.call(complain, { params, body: complaint }));
    requireCode('Complaining', complained.code, [...moveCodes, 'complaint_refused']);
    const body = { move: 'decide_refund' as const, text: 'It has a defect.' };
    const decided = await outcomeOf(world.admin.client.call(decideComplaint, { params, body }));
    requireCode('Deciding', decided.code, ['ok', 'order_moved', 'complaint_refused']);
  },
});

/** @param share of what is left of the price; the shop refuses more than that */
export const refundByAdmin = (
  laptop: number,
  share: number,
  from: (typeof refundBearers)[number],
): Action => ({
  name: `an admin refunds ${share * 100} % of what is left of the sale of laptop ${laptop}, borne by the ${from}`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    if (order === undefined) return;
    const cents = Math.max(1, Math.floor(order.left_cents * share));
    const body = { amount: cents / 100, from, text: 'It has a scratch.' };
    const call = (await signInAgain(world.shop, world.admin)).call(refundOrder, {
      params: { _id: order.id },
      body,
    });
    const { code } = await outcomeOf(call);
    requireCode('Refunding', code, ['ok', 'refund_refused']);
    assert(order.left_cents >= cents || code !== 'ok', 'More was refunded than was left.');
  },
});

export const payOwedRefunds = (): Action => ({
  name: 'an admin pays refunds that failed by hand, and those that wait from the shop’s money',
  isPossible: isAlwaysPossible,
  run: async (_model, { shop, admin }) => {
    const client = await signInAgain(shop, admin);
    for (const { _id, isFailed } of await client.call(listWaitingRefunds, { query: { limit: 100 } })) {
      const params = { _id };
      const call = isFailed
        ? client.call(payRefundByHand, { params, body: { reference: `by hand ${_id}` } })
        : client.call(payWaitingRefund, { params });
      requireCode('Paying a refund', (await outcomeOf(call)).code, ['ok', 'refund_refused']);
    }
  },
});

export const disputeSale = (laptop: number, kind: 'chargeback' | 'inquiry'): Action => ({
  name: `the bank of the buyer of laptop ${laptop} opens a dispute: ${kind}`,
  isPossible: (model) => model.bookings.size > 0,
  run: async (_model, world) => {
    const order = await orderOf(world, laptop);
    if (order === undefined) return;
    const { cards } = world.shop;
    const expand = ['latest_charge'];
    const { latest_charge: charge } = await cards.stripe.paymentIntents.retrieve(order.transaction_id, {
      expand,
    });
    if (charge === null || typeof charge === 'string' || charge.disputed) return;
    await cards.changeCharge(charge.id, { dispute: kind });
  },
});

export const reinstateDisputes = (): Action => ({
  name: 'all lost disputes are won after all',
  isPossible: isAlwaysPossible,
  run: async (_model, { shop }) => {
    const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
    for (const { id, status } of data) if (status === 'lost') await shop.cards.decideDispute(id, 'won');
  },
});
