// Every move of an order by every person in every state, sent as requests: what the contract's table of moves does not
// allow is refused with a sentence, or was done before, and changes neither the order nor the money.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OrderMove, type OrderState, orderMoves, orderStates } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import {
  answerAsBuyer,
  answerAsSeller,
  cancelSale,
  complain,
  decideComplaint,
} from '#contract/sales/complaints.ts';
import { confirmOrder, handOver, refundOrder } from '#contract/sales/orders.ts';
import { decideDelivered, receiveParcel, reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';
const OFFER = 60;

let shop: TestShop;
let admin: Person;
let strangers: Person[];

beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: { basisPoints: 500, fixedCents: 100 } },
  });
  admin = await shop.admin();
  strangers = [await shop.buyer(), await shop.seller()];
});
afterAll(async () => {
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
});

async function waitForJobs() {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
}

/** A request that makes a move. */
interface MoveRequest {
  endpoint: Endpoint;
  body?: object;
}

const text = 'The keyboard skips letters.';
/** The moves that people make, and their requests. */
const requests: Partial<Record<OrderMove, (sale: Sale) => MoveRequest>> = {
  hand_over: ({ code }) => ({ endpoint: handOver, body: { code } }),
  confirm: () => ({ endpoint: confirmOrder }),
  cancel: () => ({ endpoint: cancelSale, body: { text } }),
  complain: () => ({ endpoint: complain, body: { kind: 'does_not_work', text } }),
  ...movesBy('buyer', answerAsBuyer, ['withdraw', 'decline_offer', 'report_return']),
  take_offer: () => ({ endpoint: answerAsBuyer, body: { move: 'take_offer', amount: OFFER } }),
  ...movesBy('seller', answerAsSeller, ['accept', 'contest', 'confirm_return', 'deny_return']),
  offer: () => ({ endpoint: answerAsSeller, body: { move: 'offer', amount: OFFER } }),
  ...movesBy('admin', decideComplaint, ['decide_return', 'decide_refund', 'decide_release']),
  refund_rest: () => ({ endpoint: refundOrder, body: { amount: 549.99, from: 'seller', text } }),
  ship: () => ({
    endpoint: shipParcel,
    body: { carrier: 'UPS', trackingNumber: `1Z${crypto.randomUUID().slice(0, 8)}` },
  }),
  receive: () => ({ endpoint: receiveParcel }),
  ...movesBy('seller', reportParcel, ['prove_delivery', 'take_back', 'send_again']),
  decide_delivered: () => ({ endpoint: decideDelivered, body: { text } }),
  decide_part: () => ({ endpoint: decideComplaint, body: { move: 'decide_part', amount: OFFER, text } }),
};

/** Requests that differ in their move only. */
function movesBy(actor: 'buyer' | 'seller' | 'admin', endpoint: Endpoint, moves: readonly OrderMove[]) {
  const body = actor === 'buyer' ? {} : { text };
  return Object.fromEntries(moves.map((move) => [move, () => ({ endpoint, body: { ...body, move } })]));
}

/** Sends a move's request. @returns the status and the parsed body */
async function send(sale: Sale, move: OrderMove, person: Person | null) {
  const request = requests[move]?.(sale);
  if (request === undefined) throw new Error(`Nobody can request ${move}.`);
  const { endpoint, body } = request;
  const response = await fetch(`${shop.origin}/api${endpoint.path.replace(':_id', sale.orderId)}`, {
    method: endpoint.method,
    headers: {
      ...(person !== null && { authorization: `Bearer ${person.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: Record<string, unknown> = await response.json();
  return { status: response.status, answer };
}

/** Makes moves that are allowed. */
async function make(sale: Sale, ...moves: OrderMove[]): Promise<Sale> {
  const people = {
    buyer: sale.buyer,
    seller: sale.seller,
    admin,
    deadline: null,
    bank: null,
    shop: null,
    carrier: null,
  };
  for (const move of moves) {
    const { status, answer } = await send(sale, move, people[orderMoves[move].by]);
    expect(status, `${move}: ${JSON.stringify(answer)}`).toBe(200);
  }
  return sale;
}

/** The bank opens its dispute, and decides against the shop if it is lost. */
async function dispute(sale: Sale, isLost: boolean): Promise<Sale> {
  await shop.cards.runDelayedOutcomes();
  await waitForJobs();
  if (!isLost) return sale;
  const [found] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
  await shop.cards.stripe.disputes.update(found?.id ?? '', {
    evidence: { uncategorized_text: 'losing_evidence' },
  });
  await waitForJobs();
  return sale;
}

async function complete(sale: Sale): Promise<Sale> {
  await make(sale, 'hand_over');
  const { database } = shop.connection;
  await moveOverdueOrders({ database, enqueue: shop.enqueue }, new Date(Date.now() + 15 * DAY_MS));
  return sale;
}

/** Sells a laptop that is sent. */
const sellByParcel = () => sellLaptop(shop, { address: sampleAddress });

const sell = (card?: string) => sellLaptop(shop, card === undefined ? {} : { card });

/** How an order comes to each state. */
const sales: Record<OrderState, () => Promise<Sale>> = {
  held: () => sell(),
  to_ship: () => sellByParcel(),
  shipped: async () => make(await sellByParcel(), 'ship'),
  delivered: async () => make(await sellByParcel(), 'ship', 'prove_delivery'),
  complaint: async () => make(await sell(), 'complain'),
  offered: async () => make(await sell(), 'complain', 'offer'),
  contested: async () => make(await sell(), 'complain', 'contest'),
  awaiting_return: async () => make(await sell(), 'complain', 'accept'),
  return_reported: async () => make(await sell(), 'complain', 'accept', 'report_return'),
  released: async () => make(await sell(), 'hand_over'),
  charge_disputed: async () => dispute(await sell(DISPUTED_CARD), false),
  completed: async () => complete(await sell()),
  refunded: async () => make(await sell(), 'cancel'),
  charged_back: async () => dispute(await sell(DISPUTED_CARD), true),
};

/** What a refused request must not change. */
async function readAll({ orderId }: Sale) {
  const { rows } = await shop.connection.pool.query(
    `select state, due_at, refunded_cents, released_at, laptop_with_buyer, wrong_codes, shipped_at, delivered_at,
            (select count(*) from parcels where order_id = orders.id) as parcels,
            (select count(*) from order_events where order_id = orders.id) as events,
            (select count(*) from ledger_entries) as entries,
            (select count(*) from refunds) as refunds
       from orders where id = $1`,
    [orderId],
  );
  return rows[0];
}

/** One state of each part of a sale: before, during and after the hand-over, of a parcel, of a complaint, and at the bank. */
const shortStates: readonly OrderState[] = [
  'held',
  'shipped',
  'completed',
  'complaint',
  'refunded',
  'charged_back',
];

describe.each(orderStates)('an order that is %s', (state) => {
  const tags = shortStates.includes(state) ? [] : 'long';
  test('is moved by nobody else, and by nobody out of turn', { tags }, async () => {
    const sale = await sales[state]();
    await waitForJobs();
    const before = await readAll(sale);
    expect(before.state).toBe(state);
    const people = new Map<string, Person>([
      ['buyer', sale.buyer],
      ['seller', sale.seller],
      ['admin', admin],
    ]);
    let name: OrderMove;
    for (name in requests) {
      const { by, from }: { by: string; from: readonly OrderState[] } = orderMoves[name];
      for (const person of [...people.values(), ...strangers, null]) {
        const isTheirs = person !== null && person === people.get(by);
        if (isTheirs && from.includes(state)) continue;
        const { status, answer } = await send(sale, name, person);
        const attempt = `${name} by ${person?.email ?? 'nobody'}: ${status} ${JSON.stringify(answer)}`;
        if (status === 200) {
          // The same was done before, by the same person.
          expect(isTheirs, attempt).toBe(true);
          expect(answer, attempt).toMatchObject({ modifiedCount: 0 });
        } else {
          expect([401, 403, 404, 409, 422], attempt).toContain(status);
          expect(answer.detail, attempt).toMatch(/^[A-Z].{10,}\.$/);
        }
      }
    }
    await waitForJobs();
    expect(await readAll(sale)).toEqual(before);
  });
});

test('the moves of all people are requests', () => {
  const people = Object.entries(orderMoves).filter(
    ([, { by }]) => by !== 'deadline' && by !== 'bank' && by !== 'shop' && by !== 'carrier',
  );
  expect(Object.keys(requests).sort()).toEqual(people.map(([move]) => move).sort());
});
