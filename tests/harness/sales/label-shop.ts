import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { answerAsSeller, complain } from '#contract/sales/complaints.ts';
import {
  buyLabel,
  listClaims,
  listOrderLabels,
  quoteLabel,
  recordClaimPayment,
} from '#contract/sales/labels.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { reportParcel } from '#contract/sales/shipping.ts';
import { applyComplaintDeadlines } from '#server/sales/complaints/deadlines.ts';
import { moveOverdueOrders } from '#server/sales/orders/actions.ts';
import { applyParcelDeadlines } from '#server/sales/shipping/actions.ts';
import { followLabels } from '#server/sales/shipping/follow-labels.ts';
import type { LabelDependencies } from '#server/sales/shipping/labels.ts';
import { findMoneyViolations } from '../money/money-invariants.ts';
import { readProcessorLedger } from '../money/processor-ledger.ts';
import type { Person, TestShop } from '../operations/shop.ts';
import { waitForEmptyQueue } from '../platform/job-queue.ts';
import { sampleSender, sharedShopWithCarriers, type TestCarriers, verify } from './carriers.ts';
import { type Sale, sampleAddress, sellLaptop } from './sold-laptop.ts';

type Way = 'out' | 'back';

/** The refusal of a call. @throws Error when it was not refused */
export async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error('It was not refused.');
  return { code: error.code, errors: Object.keys(error.errors), detail: error.message };
}

/** Prepares the shop with carriers of a worker for a file, and checks all its money afterwards. @returns what its tests do */
export function setUpLabelShop() {
  let started: { shop: TestShop; fake: TestCarriers; admin: Person };
  /** The ids of the orders of the present test. */
  const sold: string[] = [];
  beforeEach(() => {
    sold.length = 0;
  });
  beforeAll(async () => {
    const { shop, fake } = await sharedShopWithCarriers();
    started = { shop, fake, admin: await shop.admin() };
  });
  afterAll(async () => {
    await waitForJobs();
    const { cards, connection } = started.shop;
    const ledger = await readProcessorLedger(cards.stripe);
    expect(await findMoneyViolations(connection.pool, ledger, null)).toEqual([]);
  });

  const waitForJobs = () => waitForEmptyQueue(started.shop.connection.pool);
  const params = ({ orderId }: Sale) => ({ _id: orderId });
  const dependencies = (): LabelDependencies => ({
    database: started.shop.connection.database,
    enqueue: started.shop.enqueue,
    carriers: started.fake.carriers,
    shop: () => ({ ...defaultShopSettings, payoutMethod: 'card_processor' }),
  });

  /** Asks for the prices of a label: of the seller to the buyer, or of the buyer back. */
  const quote = (
    { seller, buyer, ...sale }: Sale,
    from: Partial<typeof sampleSender> = {},
    way: Way = 'out',
  ) =>
    (way === 'out' ? seller : buyer).client.call(quoteLabel, {
      params: { _id: sale.orderId },
      body: way === 'out' ? { sender: { ...sampleSender, ...from } } : {},
    });
  /** Takes the lowest price. */
  const take = ({ client }: Person, { _id, rates }: Awaited<ReturnType<typeof quote>>) =>
    client.call(buyLabel, {
      params: { _id },
      body: { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 },
    });
  /** Buys the cheapest label. @returns its id */
  async function buy(sale: Sale, way: Way = 'out'): Promise<string> {
    const quoted = await quote(sale, {}, way);
    await take(way === 'out' ? sale.seller : sale.buyer, quoted);
    await waitForJobs();
    return quoted._id;
  }
  const shipmentOf = ({ orderId }: Sale, way?: Way) => started.fake.shipmentOf(orderId, way);
  /** Lets the carrier report something of the latest parcel of a sale. @returns the shop's answer to the event */
  async function report({ orderId }: Sale, status: Parameters<TestCarriers['report']>[1], way: Way = 'out') {
    const { rows } = await started.shop.connection.pool.query<{ shipment_id: string }>(
      `select shipment_id from labels where order_id = $1 and way = $2 and bought_at is not null
        order by number desc limit 1`,
      [orderId, way],
    );
    const answer = await started.fake.report(rows[0]?.shipment_id ?? '', status);
    await waitForJobs();
    return answer;
  }
  const complainAbout = (
    sale: Sale,
    kind: 'not_as_described' | 'not_arrived' | 'damaged' | 'does_not_work',
  ) =>
    sale.buyer.client.call(complain, {
      params: params(sale),
      body: { kind, text: 'It is not right.', photos: [] },
    });
  const accept = (sale: Sale) =>
    sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'accept' } });

  return {
    get shop() {
      return started.shop;
    },
    get fake() {
      return started.fake;
    },
    get admin() {
      return started.admin;
    },
    ...{ waitForJobs, params, dependencies, quote, take, buy, shipmentOf, report, complainAbout, accept },
    /** Sells a laptop that is sent, by a seller whom the shop knows. */
    sell: async (parts: Parameters<typeof sellLaptop>[1] = {}): Promise<Sale> => {
      const sale = await sellLaptop(started.shop, { address: sampleAddress, ...parts });
      await verify(started.shop, sale.seller);
      sold.push(sale.orderId);
      return sale;
    },
    read: (sale: Sale, { client } = sale.buyer) => client.call(readOrder, { params: params(sale) }),
    labels: (sale: Sale, { client } = sale.seller) => client.call(listOrderLabels, { params: params(sale) }),
    /** Lets the laptop of a sale return with a label of the shop. @returns the label's id */
    returnWithLabel: async (
      sale: Sale,
      { isScanned = true, kind = 'not_as_described' as 'not_as_described' | 'damaged' } = {},
    ): Promise<string> => {
      await buy(sale);
      await report(sale, 'delivered');
      await complainAbout(sale, kind);
      await accept(sale);
      const label = await buy(sale, 'back');
      if (isScanned) await report(sale, 'in_transit', 'back');
      return label;
    },
    sendAgain: (sale: Sale) =>
      sale.seller.client.call(reportParcel, {
        params: params(sale),
        body: { move: 'send_again', text: 'It came back.' },
      }),
    claimOf: async (label: string) =>
      (await started.admin.client.call(listClaims, {})).find(({ _id }) => _id === label),
    settleTo: (label: string, paid: number, paidBefore = 0) =>
      started.admin.client.call(recordClaimPayment, { params: { _id: label }, body: { paidBefore, paid } }),
    /** Applies the deadlines as if some days had passed, for the sales of the present test. */
    passDays: async (days: number): Promise<void> => {
      const now = new Date(Date.now() + days * DAY_MS);
      const { pool } = started.shop.connection;
      await pool.query(
        `update orders set due_at = now() + interval '1 year'
          where due_at < now() + interval '6 months' and id <> all($1)`,
        [sold],
      );
      await pool.query(
        'update labels set next_check_at = null where next_check_at is not null and order_id <> all($1)',
        [sold],
      );
      const { database, enqueue } = dependencies();
      await moveOverdueOrders({ database, enqueue }, now);
      await applyComplaintDeadlines({ database, enqueue }, now);
      const cache = { waitForInvalidation: async () => undefined };
      await applyParcelDeadlines({ database, enqueue, cache }, now);
      await followLabels(dependencies(), now);
      await waitForJobs();
    },
    ledgerOf: async (sale: Sale, account: string): Promise<number> => {
      const { rows } = await started.shop.connection.pool.query<{ cents: number }>(
        'select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where order_id = $1 and account = $2',
        [sale.orderId, account],
      );
      return rows[0]?.cents ?? 0;
    },
  };
}
