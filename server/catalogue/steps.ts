import * as z from 'zod/mini';
import type { Reader, Transaction } from '../database/tables.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import { releasePhotos } from '../photos/steps.ts';
import * as store from './store.ts';

export type { ResponseCache } from './response-cache.ts';
export type { LaptopRow } from './store.ts';

/** The job after a laptop left the shop unsold. Payments handles it: closes open attempts and notifies the buyers. */
export const laptopWithdrawn = job('catalogue.laptop-withdrawn', z.object({ laptopId: z.string() }));

/** Finds a laptop in any state. @returns null when there is none */
export async function findLaptop(reader: Reader, id: string): Promise<store.LaptopRow | null> {
  return (await store.find(reader, id)) ?? null;
}

/** Selects a laptop with FOR UPDATE, or null. Lock the laptop before its bookings. */
export async function selectLaptopForUpdate(
  transaction: Transaction,
  id: string,
): Promise<store.LaptopRow | null> {
  return (await store.selectForUpdate(transaction, id)) ?? null;
}

/** Marks a locked, available laptop as sold. */
export async function sellLaptop(transaction: Transaction, id: string, buyerId: string): Promise<void> {
  await store.markSold(transaction, id, buyerId);
}

/** Withdraws all unsold laptops of a seller. */
export async function withdrawLaptopsOf(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
): Promise<void> {
  for (const laptopId of await store.withdrawAll(transaction, sellerId)) {
    await enqueue(transaction, laptopWithdrawn, { laptopId });
  }
}

/** Selects a laptop with FOR SHARE, or null: it cannot be sold or withdrawn, but other buyers can book it concurrently. */
export async function selectLaptopForShare(
  transaction: Transaction,
  id: string,
): Promise<store.LaptopRow | null> {
  return (await store.selectForShare(transaction, id)) ?? null;
}

/** Takes a locked, available laptop down, with the admin's note. */
export async function takeLaptopDown(
  transaction: Transaction,
  enqueue: Enqueue,
  id: string,
  note: string,
): Promise<void> {
  await store.takeDown(transaction, id, note);
  await enqueue(transaction, laptopWithdrawn, { laptopId: id });
}

/** Releases the photos of a seller's withdrawn laptops for deletion. */
export async function releaseUnsoldPhotos(transaction: Transaction, sellerId: string): Promise<void> {
  await releasePhotos(transaction, await store.replacePhotos(transaction, sellerId));
}

/** Overwrites the telephone number and location on a seller's laptops. */
export function removeSellerContacts(transaction: Transaction, sellerId: string): Promise<void> {
  return store.removeContacts(transaction, sellerId);
}
