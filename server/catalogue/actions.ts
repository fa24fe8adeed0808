import type * as z from 'zod/mini';
import type { NewLaptop } from '#contract/catalogue.ts';
import { centsFromDollars } from '#contract/scalars.ts';
import { shareAccount } from '../accounts/steps.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { accountEnded, Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { claimPhotos } from '../photos/steps.ts';
import { type PhotoPlace, storedPhoto } from './rules.ts';
import { laptopWithdrawn } from './steps.ts';
import * as store from './store.ts';

/** What the catalogue's actions need. */
export interface CatalogueDependencies {
  database: Database;
  enqueue: Enqueue;
  photos: PhotoPlace;
  /** Forgets kept answers at once, so that who changed something reads the change. */
  forget(): void;
}

/** @throws Refusal when the shop does not deal in this brand */
export async function demandBrand(database: Database, brand: string): Promise<void> {
  if (!(await store.isBrand(database, brand))) {
    throw new Refusal('not_found', `The shop has no brand called ${brand}.`);
  }
}

function cents(dollars: number): number {
  const amount = centsFromDollars(dollars);
  // The contract lets only whole cents through; anything else here is a mistake of ours.
  if (amount === null) throw new RangeError(`${dollars} is not a price`);
  return amount;
}

/**
 * Lists a laptop in the seller's name.
 * @returns its id @throws Refusal for an unknown brand, a foreign photo or an account that has ended meanwhile
 */
export async function listForSale(
  { database, photos, forget }: CatalogueDependencies,
  seller: Caller,
  laptop: z.output<typeof NewLaptop>,
): Promise<string> {
  const { image, images = [image] } = laptop;
  if (!images.every((url) => photos.accepts(url))) {
    const elsewhere = 'Please upload the photo to this shop first; photos from elsewhere are not taken';
    const field = photos.accepts(image) ? 'images' : 'image';
    throw new Refusal('invalid_input', `${elsewhere}.`, { errors: { [field]: elsewhere } });
  }
  if (!(await store.isBrand(database, laptop.category_Id))) {
    throw new Refusal('invalid_input', `The shop has no brand called ${laptop.category_Id}.`, {
      errors: { category_Id: 'Choose one of the brands' },
    });
  }
  const id = await database.transaction().execute(async (transaction) => {
    if (!(await shareAccount(transaction, seller.userId))) throw accountEnded();
    if (!(await claimPhotos(transaction, images))) {
      const gone = 'A photo waited too long for its laptop and was removed; please choose it again';
      throw new Refusal('invalid_input', `${gone}.`, { errors: { image: gone } });
    }
    return store.insert(transaction, {
      brand: laptop.category_Id,
      seller_id: seller.userId,
      name: laptop.name,
      location: laptop.location,
      images: images.map((url) => storedPhoto(url, photos)),
      description: JSON.stringify(laptop.description),
      original_price_cents: cents(laptop.original_price),
      resale_price_cents: cents(laptop.resale_price),
      posted_time: laptop.posted_time ?? new Date().toLocaleString('en-US', { timeZoneName: 'short' }),
      use_time: laptop.use_time,
      mobile_number: laptop.mobile_number,
      condition: laptop.condition,
    });
  });
  forget();
  return id;
}

/** Locks a laptop for its owner. @throws Refusal when it is not the caller's, is gone, or is sold */
async function lockOwn(transaction: Transaction, seller: Caller, id: string): Promise<store.LaptopRow> {
  const laptop = await store.lock(transaction, id);
  if (laptop === undefined || laptop.seller_id !== seller.userId || laptop.state === 'withdrawn') {
    throw new Refusal('not_found', 'There is no such laptop among your products.');
  }
  if (laptop.state === 'sold') {
    throw new Refusal('already_sold', `${laptop.name} is sold, so it stays on record as it is.`);
  }
  return laptop;
}

/** Takes the seller's unsold laptop out of the shop. @throws Refusal */
export async function withdraw(
  { database, enqueue, forget }: CatalogueDependencies,
  seller: Caller,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockOwn(transaction, seller, id);
    await store.withdraw(transaction, id);
    await enqueue(transaction, laptopWithdrawn, { laptopId: id });
  });
  forget();
}

/** Advertises the seller's unsold laptop. @returns how many changed: 0 when it already was @throws Refusal */
export async function advertise(
  { database, forget }: CatalogueDependencies,
  seller: Caller,
  id: string,
): Promise<number> {
  const modified = await database.transaction().execute(async (transaction) => {
    const laptop = await lockOwn(transaction, seller, id);
    if (laptop.state !== 'available') {
      throw new Refusal('not_found', `${laptop.name} was taken down, so it cannot be advertised.`);
    }
    if (laptop.advertised_at !== null) return 0;
    await store.advertise(transaction, id);
    return 1;
  });
  forget();
  return modified;
}
