import * as z from 'zod/mini';
import type { Reader, Transaction } from '../database/tables.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import { releasePhotos } from '../photos/steps.ts';
import * as store from './store.ts';

export type { ResponseCache } from './response-cache.ts';
export type { LaptopRow } from './store.ts';

/** A laptop left the shop unsold. Payments handles it: closes open attempts and notifies the buyers. */
export const laptopWithdrawn = job('catalogue.laptop-withdrawn', z.object({ laptopId: z.string() }));

/** A laptop in whatever state, or null. */
export async function findLaptop(reader: Reader, id: string): Promise<store.LaptopRow | null> {
  return (await store.find(reader, id)) ?? null;
}

/** A laptop, locked until the transaction ends, or null. Lock it before its bookings: always in this order. */
export async function selectLaptopForUpdate(
  transaction: Transaction,
  id: string,
): Promise<store.LaptopRow | null> {
  return (await store.lock(transaction, id)) ?? null;
}

/** Marks a locked, available laptop as sold: off the shelf and out of the advertisements. */
export async function sellLaptop(transaction: Transaction, id: string, buyerId: string): Promise<void> {
  await store.markSold(transaction, id, buyerId);
}

/** Takes all unsold laptops of a seller out of the shop. */
export async function withdrawLaptopsOf(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
): Promise<void> {
  for (const laptopId of await store.withdrawAll(transaction, sellerId)) {
    await enqueue(transaction, laptopWithdrawn, { laptopId });
  }
}

/**
 * A laptop that no one can sell or withdraw until the transaction ends, or null. Others may share it: any number of
 * buyers can book a laptop at once.
 */
export async function selectLaptopForShare(
  transaction: Transaction,
  id: string,
): Promise<store.LaptopRow | null> {
  return (await store.share(transaction, id)) ?? null;
}

/** Takes a locked, available laptop down by order of an admin. */
export async function takeLaptopDown(
  transaction: Transaction,
  enqueue: Enqueue,
  id: string,
  note: string,
): Promise<void> {
  await store.takeDown(transaction, id, note);
  await enqueue(transaction, laptopWithdrawn, { laptopId: id });
}

/** Releases the photos of a seller's withdrawn laptops, so that they can be removed. */
export async function releaseUnsoldPhotos(transaction: Transaction, sellerId: string): Promise<void> {
  await releasePhotos(transaction, await store.removePhotos(transaction, sellerId));
}

/** Overwrites the telephone number and location on a seller's laptops. */
export function removeSellerContacts(transaction: Transaction, sellerId: string): Promise<void> {
  return store.removeContacts(transaction, sellerId);
}
