import type { Context } from '#server/platform/context.ts';
import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type PublishDependencies, publish } from '../events.ts';
import * as listStore from './list-store.ts';
import type { PhotoDependencies } from './listing.ts';
import { notOwnLaptop } from './refusals.ts';
import { type DetailedLaptop, isShown, type LaptopWithSeller } from './rules.ts';
import * as store from './store.ts';

export type CatalogueDependencies = Pick<Context, 'database' | 'cache'> &
  PhotoDependencies &
  PublishDependencies;

/** Finds a brand by its name, or by one that it had. @throws Refusal for an unknown one */
export async function requireBrand(
  reader: Reader,
  name: string,
): Promise<NonNullable<Awaited<ReturnType<typeof store.findBrand>>>> {
  const brand = await store.findBrand(reader, name);
  if (brand === null) throw new Refusal('not_found', `The shop has no brand called ${name}.`);
  return brand;
}

/**
 * Lists the laptops for sale of a brand, by its name or one that it had. @returns its present name, too
 * @throws Refusal for an unknown brand
 */
export async function readOfBrand(
  reader: Reader,
  requested: string,
  request: PageRequest,
): Promise<{ name: string; page: Page<LaptopWithSeller> }> {
  const read = async (name: string) => ({
    name,
    page: await listStore.readList(reader, 'availableByBrand', [name], request),
  });
  const found = await read(requested);
  // With laptops, the name is a present one.
  if (found.page.rows.length > 0) return found;
  const { name } = await requireBrand(reader, requested);
  return name === requested ? found : read(name);
}

/** Why a laptop has no page. The sentence does not name a laptop that was not sold. */
function awayReason({ state, name }: store.LaptopRow): string {
  if (state === 'sold') return `${name} has been sold.`;
  if (state !== 'blocked') return 'This laptop has left the shop unsold.';
  return 'A lock was found when this laptop was measured. That happens when an earlier owner has not signed off, and can be released. Until then the shop does not sell it.';
}

/** Reads a laptop for its page. @throws Refusal with the reason if it has left the shop, or was sold long ago */
export async function readForPage(reader: Reader, id: string, now: Date): Promise<DetailedLaptop> {
  const found = await listStore.findForPage(reader, id);
  if (found !== undefined && isShown(found, now)) return found;
  const laptop = await store.findLaptop(reader, id);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  throw new Refusal('no_longer_for_sale', awayReason(laptop));
}

/** Locks a laptop for its owner. @throws Refusal when it is not the caller's or is sold */
async function lockOwnLaptop(transaction: Transaction, seller: Caller, id: string): Promise<store.LaptopRow> {
  const laptop = await store.selectLaptopForUpdate(transaction, id);
  if (laptop === undefined || laptop.seller_id !== seller.userId) {
    throw notOwnLaptop();
  }
  if (laptop.state === 'sold') {
    throw new Refusal('already_sold', `${laptop.name} is sold, so it stays on record as it is.`);
  }
  return laptop;
}

/**
 * Withdraws the seller's unsold laptop.
 * @returns rows changed: 0 when it was already withdrawn @throws Refusal
 */
export async function withdraw(
  { database, enqueue, cache, laptopEvents }: CatalogueDependencies,
  seller: Caller,
  id: string,
): Promise<number> {
  const deletedCount = await database.transaction().execute(async (transaction) => {
    const laptop = await lockOwnLaptop(transaction, seller, id);
    if (laptop.state === 'withdrawn') return 0;
    await store.withdraw(transaction, id);
    await publish(transaction, laptopEvents.withdrawn, { laptopId: id }, enqueue);
    return 1;
  });
  await cache.waitForInvalidation();
  return deletedCount;
}

/** Advertises the seller's unsold laptop. @returns rows changed: 0 when it already was advertised @throws Refusal */
export async function advertise(
  { database, cache }: CatalogueDependencies,
  seller: Caller,
  id: string,
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    const laptop = await lockOwnLaptop(transaction, seller, id);
    if (laptop.state === 'withdrawn') throw notOwnLaptop();
    if (laptop.state !== 'available') {
      throw new Refusal(
        'not_found',
        laptop.state === 'blocked'
          ? `A lock was found on ${laptop.name}, so it cannot be advertised before it is measured again.`
          : `${laptop.name} was taken down, so it cannot be advertised.`,
      );
    }
    if (laptop.advertised_at !== null) return 0;
    await store.advertise(transaction, id);
    return 1;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}
