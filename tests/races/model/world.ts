import type { Person, TestShop } from '#tests/harness/shop.ts';
import { type Books, readBooks } from '../books.ts';
import { untilQueueIsEmpty } from '../settling.ts';
import { breaches } from '../statements.ts';

/** How many buyers, and laptops, take part in one run. */
export const buyersCount = 3;
export const laptopsCount = 2;
export const price = 549.99;

/** The real shop as one run sees it: people and laptops of its own. */
export interface World {
  shop: TestShop;
  admin: Person;
  seller: Person;
  buyers: Person[];
  laptops: string[];
  /** Books read before the run, so that only its own intents are judged. */
  before: Books;
}

/** What one buyer has got of one laptop so far. */
export interface Deal {
  bookingId: string;
  /** Of the intent, once it was answered. */
  clientSecret: string | null;
}

/**
 * What is known for certain: only facts that never end again. Whatever was known before a call was made must show in
 * its answer, whatever else is happening at that moment.
 */
export interface Model {
  deals: Map<string, Deal>;
  /** Laptop to buyer. */
  soldTo: Map<number, number>;
  /** Laptops that left the shop unsold. */
  gone: Set<number>;
  endedBuyers: Set<number>;
  sellerEnded: boolean;
  /** How many things were done. */
  acts: number;
}

export const emptyModel = (): Model => ({
  deals: new Map(),
  soldTo: new Map(),
  gone: new Set(),
  endedBuyers: new Set(),
  sellerEnded: false,
  acts: 0,
});

export const dealKey = (buyer: number, laptop: number) => `${buyer}/${laptop}`;

/** Makes a run's people and laptops. */
export async function newWorld(shop: TestShop, admin: Person, before: Books): Promise<World> {
  const seller = await shop.seller();
  const times = <Made>(count: number, make: () => Promise<Made>) =>
    Promise.all(Array.from({ length: count }, make));
  const [buyers, laptops] = await Promise.all([
    times(buyersCount, () => shop.buyer()),
    times(laptopsCount, () => shop.laptop(seller)),
  ]);
  return { shop, admin, seller, buyers, laptops, before };
}

/** So much later that also what was asked about an hour from now, and in vain, is due again. */
const later = () => new Date(Date.now() + 3 * 3_600_000);

/**
 * Ends all disturbances and lets everything come to rest.
 * @param refunds how the banks take refunds from here on
 * @throws Error naming what does not
 */
export async function comeToRest(
  { shop }: World,
  refunds: 'as published' | 'good' = 'as published',
): Promise<void> {
  await shop.cards.faults({ refunds });
  // Twice: what reconciliation has given back may fail in its turn.
  for (let round = 0; round < 2; round += 1) {
    await shop.cards.later();
    await shop.cards.deliver({});
    await untilQueueIsEmpty(shop.connection.pool);
    await shop.reconcile(later());
    await untilQueueIsEmpty(shop.connection.pool);
  }
}

/** Has the banks decide all open disputes in the shop's favour. */
export async function winDisputes({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status !== 'needs_response') continue;
    await shop.cards.stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
  }
}

/** The payments at these laptops whose money could not be given back. */
export async function failedRefunds(shop: TestShop, laptops: readonly string[]): Promise<string[]> {
  const { rows } = await shop.connection.pool.query(
    `select refunds.transaction_id as id from refunds join bookings on bookings.id = booking_id
     where state = 'failed' and laptop_id = any($1)`,
    [laptops],
  );
  return rows.map(({ id }) => id);
}

/** The breaches of the four statements in this run. */
export async function breachesOf(world: World): Promise<{ found: string[]; books: Books }> {
  const { shop, before, laptops } = world;
  const books = await readBooks(shop.cards.stripe, before.newest);
  return { found: await breaches(shop.connection.pool, books, laptops), books };
}

/** Ends the turn of whoever is paying for a laptop. @param usedUp also the 20 minutes that a turn may last in all */
export async function letHoldLapse({ shop, laptops }: World, laptop: number, usedUp: boolean): Promise<void> {
  const ago = (usedUp ? 21 : 10) * 60_000;
  await shop.connection.database
    .updateTable('holds')
    .set({ started_at: new Date(Date.now() - ago), expires_at: new Date(Date.now() - ago + 180_000) })
    .where('laptop_id', '=', laptops[laptop] ?? '')
    .execute();
}
