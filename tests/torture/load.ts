import { setTimeout as pause } from 'node:timers/promises';
import { book } from '#contract/bookings.ts';
import { deleteOwnLaptop, listCategory, listLaptop } from '#contract/catalogue.ts';
import { Problem } from '#contract/client.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { type Caller, chargeCard, register, uploadPicture } from './callers.ts';
import type { TortureShop } from './shop.ts';

const price = 549.99;
const buyersCount = 8;
const sellersCount = 2;
/** Low, so that buyers compete for laptops. */
const mostOnOffer = 5;

/** The confirmed data, none of which may be lost. */
export interface Acknowledged {
  photos: string[];
  laptops: string[];
  bookings: string[];
  payments: string[];
  /** Charges that the card processor confirmed to the browser. */
  charges: string[];
}

/** A load of buyers and sellers that continues during faults. */
export interface Load {
  acknowledged: Acknowledged;
  /** Number of responses by call and code; `ok` is a success, `network` is no response. */
  answers: Map<string, number>;
  /** Responses that must not occur. */
  unexpected: string[];
  /** Runs until `stop`. */
  start(): void;
  /** Stops and waits for unfinished calls. */
  stop(): Promise<void>;
}

const chance = (share: number) => Math.random() < share;
const oneOf = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)];

/** Registers users and creates their load. */
export async function createLoad(shop: TortureShop): Promise<Load> {
  const acknowledged: Acknowledged = { photos: [], laptops: [], bookings: [], payments: [], charges: [] };
  const answers = new Map<string, number>();
  const unexpected: string[] = [];
  const onOffer = new Set<string>();
  const bookings = new Map<string, string>();
  let isRunning = false;
  let running: Promise<unknown> = Promise.resolve();

  /** Counts the response of a call. @returns null when it was refused or lost */
  async function ask<Answer>(what: string, work: Promise<Answer>): Promise<Answer | null> {
    const count = (code: string) =>
      answers.set(`${what}: ${code}`, (answers.get(`${what}: ${code}`) ?? 0) + 1);
    try {
      const answer = await work;
      count('ok');
      return answer;
    } catch (error) {
      const problem = error instanceof Problem ? error : null;
      if (problem === null || problem.code === 'internal' || problem.status === 500) {
        unexpected.push(`${what}: ${String(error)}`);
      }
      count(problem?.code ?? 'failure');
      // Users read the message before the next call.
      await pause(50);
      return null;
    }
  }

  /** The buyer's booking of a laptop, made now if there is none; null when there can be none. */
  async function bookingOf({ email, client }: Caller, productCode: string): Promise<string | null> {
    const known = bookings.get(`${email} ${productCode}`);
    if (known !== undefined) return known;
    const body = { price, phone: '+351 900 000 000', location: 'Central Station', productCode };
    const booked = await ask('book', client.call(book, { body }));
    if (booked?.insertedId === undefined) {
      // An objection: it is sold, or has left the shop. Or the first try had come through, and only its answer was lost.
      if (booked !== null) onOffer.delete(productCode);
      return null;
    }
    acknowledged.bookings.push(booked.insertedId);
    bookings.set(`${email} ${productCode}`, booked.insertedId);
    return booked.insertedId;
  }

  async function buy(buyer: Caller): Promise<void> {
    const productCode = oneOf([...onOffer]);
    if (productCode === undefined) return pause(50);
    const { client } = buyer;
    const bookingId = await bookingOf(buyer, productCode);
    if (bookingId === null) return;
    const prepared = await ask('prepare', client.call(createPaymentIntent, { body: { price, bookingId } }));
    if (prepared === null || chance(0.1)) return;
    // Typing a card number takes so long that others may get their turn meanwhile.
    if (chance(0.5)) await pause(Math.random() * 2_000);
    const status = await chargeCard(shop, prepared.clientSecret);
    const [transactionId = ''] = prepared.clientSecret.split('_secret_');
    if (status === 'succeeded') acknowledged.charges.push(transactionId);
    onOffer.delete(productCode);
    if (chance(0.3)) return;
    const report = () => client.call(recordPayment, { body: { price, bookingId, transactionId } });
    const recorded = await ask('report', report());
    if (recorded !== null) acknowledged.payments.push(recorded.insertedId);
    if (chance(0.2)) await ask('report again', report());
  }

  async function sell(seller: Caller): Promise<void> {
    if (onOffer.size >= mostOnOffer) return pause(100);
    const image = await ask('upload', uploadPicture(seller, shop.origin));
    if (image === null) return;
    acknowledged.photos.push(image);
    const body = {
      category_Id: 'HP',
      name: 'EliteBook 840 G8',
      location: 'Lisbon',
      image,
      description: 'One small scratch on the lid.',
      original_price: 1299,
      resale_price: price,
      use_time: '2 years',
      mobile_number: '+351 912 345 678',
      condition: 'Excellent' as const,
    };
    const listed = await ask('list', seller.client.call(listLaptop, { body }));
    if (listed === null) return;
    acknowledged.laptops.push(listed.insertedId);
    onOffer.add(listed.insertedId);
    await ask('browse', seller.client.call(listCategory, { params: { id: 'HP' }, query: {} }));
    if (chance(0.1)) {
      const params = { _id: oneOf([...onOffer]) ?? listed.insertedId };
      await ask('withdraw', seller.client.call(deleteOwnLaptop, { params }));
    }
  }

  async function repeat(person: Caller, what: (person: Caller) => Promise<void>): Promise<void> {
    while (isRunning) {
      await what(person);
      await pause(20 + Math.random() * 100);
    }
  }

  const registerMany = (count: number, role: 'Buyer' | 'Seller') =>
    Promise.all(Array.from({ length: count }, () => register(shop, role)));
  const buyers = await registerMany(buyersCount, 'Buyer');
  const sellers = await registerMany(sellersCount, 'Seller');
  return {
    acknowledged,
    answers,
    unexpected,
    start: () => {
      isRunning = true;
      running = Promise.all([
        ...buyers.map((buyer) => repeat(buyer, buy)),
        ...sellers.map((seller) => repeat(seller, sell)),
      ]);
    },
    stop: async () => {
      isRunning = false;
      await running;
    },
  };
}
