import { join } from 'node:path';
import type { Shipment, Status } from '#sandbox/carriers/shipments.ts';
import { startCarriers } from '#sandbox/carriers/start.ts';
import { createEasyPost } from '#server/providers/easypost.ts';
import type { Carriers } from '#server/sales/shipping/carriers.ts';
import { type Person, type SharedShop, startTestShop, type TestShop } from '../operations/shop.ts';

const keys = { apiKey: 'EZTKtestkeyoftheharness', webhookSecret: 'a secret of the härness' };

/** The address from which sellers of the tests send. */
export const sampleSender = {
  name: 'Sam Seller',
  line1: '388 Townsend St',
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94107',
  country: 'US',
  phone: '+1 415 555 0100',
};

/** Verifies a seller: the shop buys labels for those whom it knows. */
export const verify = async ({ connection }: SharedShop, { userId }: Person): Promise<void> => {
  await connection.pool.query('update users set verified = true where id = $1', [userId]);
};

/** A fault of the next purchase, see the stand-in. */
export type CarrierFault = 'lost_answer' | 'unavailable' | 'declined' | 'slow';

/** The stand-in for carriers and the shop's access to it. */
export interface TestCarriers {
  carriers: Carriers;
  /** Sends an event with a valid signature. @returns the shop's answer */
  sendEvent(description: string, result: object): Promise<number>;
  shipments(): Promise<Shipment[]>;
  /** The latest bought parcel of an order. @throws Error without one */
  shipmentOf(orderId: string, way?: 'out' | 'back'): Promise<Shipment>;
  /** Lets the carrier report something. @returns the shop's answer to the event */
  report(shipmentId: string, status: Status | 'refunded' | 'rejected' | 'not_applicable'): Promise<number>;
  /** What the aggregator bills, as a CSV file. */
  invoice(): Promise<string>;
  fail(fault: CarrierFault): Promise<void>;
  close(): Promise<void>;
}

/** Starts the stand-in for carriers of a test shop. */
export async function startTestCarriers(shop: { origin: string; folder: string }): Promise<TestCarriers> {
  const fake = await startCarriers({
    port: 0,
    dataFolder: join(shop.folder, 'carriers'),
    webhookUrl: `${shop.origin}/webhooks/easypost`,
    ...keys,
  });
  const shipments = async (): Promise<Shipment[]> => (await fetch(`${fake.origin}/shipments.json`)).json();
  return {
    carriers: createEasyPost({ ...keys, apiUrl: fake.origin }),
    sendEvent: fake.sendEvent,
    shipments,
    async shipmentOf(orderId, way = 'out') {
      const found = (await shipments()).findLast(
        ({ reference, is_return, postage_label }) =>
          reference === orderId && is_return === (way === 'back') && postage_label !== null,
      );
      if (found === undefined) throw new Error('The carrier has no such parcel.');
      return found;
    },
    async report(shipmentId, status) {
      const response = await fetch(`${fake.origin}/control/shipments/${shipmentId}/${status}`, {
        method: 'POST',
      });
      const { answer }: { answer: number } = await response.json();
      return answer;
    },
    invoice: async () => (await fetch(`${fake.origin}/report.csv`)).text(),
    async fail(fault) {
      await fetch(`${fake.origin}/control/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ fault }),
      });
    },
    close: fake.close,
  };
}

/** Starts a shop that buys labels of the stand-in for carriers. */
export async function startShopWithCarriers(): Promise<{
  shop: TestShop;
  fake: TestCarriers;
  close(): Promise<void>;
}> {
  const started = Promise.withResolvers<TestCarriers>();
  const shop = await startTestShop({
    dependencies: async (context) => {
      const { carriers, ...control } = await startTestCarriers(context);
      started.resolve({ carriers, ...control });
      return { carriers };
    },
  });
  const fake = await started.promise;
  return {
    shop,
    fake,
    async close() {
      await shop.close();
      await fake.close();
    },
  };
}

let shared: ReturnType<typeof startShopWithCarriers> | null = null;

/** The shop with carriers that the files of a worker share, without emails. It ends with the worker, see `sharedShop`. */
export async function sharedShopWithCarriers(): Promise<Awaited<ReturnType<typeof startShopWithCarriers>>> {
  shared ??= startShopWithCarriers();
  const started = await shared;
  started.shop.mails.length = 0;
  return started;
}
