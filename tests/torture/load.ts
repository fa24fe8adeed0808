import { setTimeout as pause } from 'node:timers/promises';
import type Stripe from 'stripe';
import { deleteOwnLaptop, listCategory, listLaptop } from '#contract/listings/catalogue.ts';
import { Problem } from '#contract/platform/client.ts';
import { book } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { decideDisputes, endSale, onboard, returnListingToSeller } from './after-sale.ts';
import { type Caller, chargeCard, GOOD_CARD, laptopWith, price, register, uploadPicture } from './callers.ts';
import type { LoadedShop } from './shop.ts';

const buyersCount = 8;
/** Charges with this card are disputed by the buyer's bank seconds later. */
const DISPUTED_CARD = '4000000000000259';
/** The banks of the two sellers: one accepts payouts, the other returns them, so that its account can pay reversals. */
const bankAccounts = ['000123456789', '000111111116'];
/** Maximum number of available laptops. Low, so that buyers compete for them. */
const MAX_AVAILABLE = 5;

/** The confirmed data, none of which may be lost. */
export interface Acknowledged {
  photos: string[];
  laptops: string[];
  bookings: string[];
  payments: string[];
  /** Charges that the card processor confirmed to the browser. */
  charges: string[];
}

/** A released sale of the solvent seller. */
export interface ReturnableSale {
  orderId: string;
  buyerEmail: string;
}

/** Simulated buyers and sellers that continue during faults. */
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
  /** The email address of the seller whose account keeps what is transferred to it. */
  solventSeller: string;
  /** Gives the price of a released sale back to its buyer. @throws Problem */
  returnSale(sale: ReturnableSale): Promise<void>;
}

const withProbability = (probability: number) => Math.random() < probability;
const pickRandom = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)];

/** Registers users, onboards the sellers, and creates their load. */
export async function createLoad(shop: LoadedShop, stripe: Stripe): Promise<Load> {
  const acknowledged: Acknowledged = { photos: [], laptops: [], bookings: [], payments: [], charges: [] };
  const answers = new Map<string, number>();
  const unexpected: string[] = [];
  const available = new Set<string>();
  const bookings = new Map<string, string>();
  const sellerOf = new Map<string, Caller>();
  let isRunning = false;
  let running: Promise<unknown> = Promise.resolve();

  /** Counts a call's outcome. @returns the response; null when the call was refused or its response was lost */
  async function recordOutcome<Answer>(call: string, work: Promise<Answer>): Promise<Answer | null> {
    const count = (code: string) =>
      answers.set(`${call}: ${code}`, (answers.get(`${call}: ${code}`) ?? 0) + 1);
    try {
      const answer = await work;
      count('ok');
      return answer;
    } catch (error) {
      const problem = error instanceof Problem ? error : null;
      if (problem === null || problem.code === 'internal' || problem.status === 500) {
        unexpected.push(`${call}: ${String(error)}`);
      }
      count(problem?.code ?? 'failure');
      // Users read the message before the next call.
      await pause(50);
      return null;
    }
  }

  /** Returns the id of the buyer's booking of a laptop, and makes the booking if necessary. Null when it was refused. */
  async function bookingFor({ email, client }: Caller, productCode: string): Promise<string | null> {
    const known = bookings.get(`${email} ${productCode}`);
    if (known !== undefined) return known;
    const body = { price, phone: '+351 900 000 000', location: 'Central Station', productCode };
    const booked = await recordOutcome('book', client.call(book, { body }));
    if (booked?.insertedId === undefined) {
      // Not acknowledged: the laptop is sold or removed, or an earlier booking succeeded whose response was lost.
      if (booked !== null) available.delete(productCode);
      return null;
    }
    acknowledged.bookings.push(booked.insertedId);
    bookings.set(`${email} ${productCode}`, booked.insertedId);
    return booked.insertedId;
  }

  async function buy(buyer: Caller): Promise<void> {
    const productCode = pickRandom([...available]);
    if (productCode === undefined) return pause(50);
    const { client } = buyer;
    const bookingId = await bookingFor(buyer, productCode);
    if (bookingId === null) return;
    const prepared = await recordOutcome(
      'prepare',
      client.call(createPaymentIntent, { body: { price, bookingId } }),
    );
    if (prepared === null || withProbability(0.1)) return;
    // The time of typing a card number, in which the payment window can expire.
    if (withProbability(0.5)) await pause(Math.random() * 2_000);
    const card = withProbability(0.15) ? DISPUTED_CARD : GOOD_CARD;
    const status = await chargeCard(shop, prepared.clientSecret, card);
    const [transactionId = ''] = prepared.clientSecret.split('_secret_');
    if (status === 'succeeded') acknowledged.charges.push(transactionId);
    available.delete(productCode);
    if (withProbability(0.3)) return;
    const report = () => client.call(recordPayment, { body: { price, bookingId, transactionId } });
    const recorded = await recordOutcome('report', report());
    if (recorded !== null) acknowledged.payments.push(recorded.insertedId);
    if (withProbability(0.2)) await recordOutcome('report again', report());
    const seller = sellerOf.get(productCode);
    if (recorded !== null && seller !== undefined) await endSale(recordOutcome, { buyer, seller, bookingId });
  }

  async function sell(seller: Caller): Promise<void> {
    if (available.size >= MAX_AVAILABLE) return pause(100);
    const image = await recordOutcome('upload', uploadPicture(seller, shop.origin));
    if (image === null) return;
    acknowledged.photos.push(image);
    const body = laptopWith(image);
    const listed = await recordOutcome('list', seller.client.call(listLaptop, { body }));
    if (listed === null) return;
    acknowledged.laptops.push(listed.insertedId);
    available.add(listed.insertedId);
    sellerOf.set(listed.insertedId, seller);
    await recordOutcome('browse', seller.client.call(listCategory, { params: { id: 'HP' }, query: {} }));
    if (withProbability(0.1)) {
      const params = { _id: pickRandom([...available]) ?? listed.insertedId };
      await recordOutcome('withdraw', seller.client.call(deleteOwnLaptop, { params }));
    }
  }

  async function repeat(action: () => Promise<void>): Promise<void> {
    while (isRunning) {
      await action();
      await pause(20 + Math.random() * 100);
    }
  }

  const registerMany = (count: number, role: 'Buyer' | 'Seller') =>
    Promise.all(Array.from({ length: count }, () => register(shop, role)));
  const buyers = await registerMany(buyersCount, 'Buyer');
  const sellers = await registerMany(bankAccounts.length, 'Seller');
  for (const [index, seller] of sellers.entries()) await onboard(seller, bankAccounts[index] ?? '');
  const solvent = sellers.at(-1);
  if (solvent === undefined) throw new Error('There are no sellers.');
  return {
    acknowledged,
    answers,
    unexpected,
    start: () => {
      isRunning = true;
      running = Promise.all([
        ...buyers.map((buyer) => repeat(() => buy(buyer))),
        ...sellers.map((seller) => repeat(() => sell(seller))),
        repeat(() => decideDisputes(stripe)),
      ]);
    },
    stop: async () => {
      isRunning = false;
      await running;
    },
    solventSeller: solvent.email,
    returnSale: async ({ orderId, buyerEmail }) => {
      const buyer = buyers.find(({ email }) => email === buyerEmail);
      if (buyer === undefined) throw new Error('Nobody of the load bought this laptop.');
      await returnListingToSeller({ buyer, seller: solvent }, orderId);
    },
  };
}
