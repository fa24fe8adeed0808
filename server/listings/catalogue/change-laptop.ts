import type * as z from 'zod/mini';
import type { ChangedLaptop } from '#contract/listings/catalogue.ts';
import { lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type PublishDependencies, publish } from '../events.ts';
import { replaceListing } from './listing.ts';
import { notOwnLaptop } from './refusals.ts';
import * as store from './store.ts';

type Change = z.output<typeof ChangedLaptop>;

/** @throws Refusal when a locked laptop is not the seller's, is not for sale, or is not the version that was changed */
function requireChangeable(
  laptop: store.LaptopRow | undefined,
  seller: Caller,
  { version }: Pick<Change, 'version'>,
): store.LaptopRow {
  if (laptop === undefined || laptop.seller_id !== seller.userId) throw notOwnLaptop();
  switch (laptop.state) {
    case 'sold':
      throw new Refusal('already_sold', `${laptop.name} is sold, so it stays on record as it is.`);
    case 'taken_down':
      throw new Refusal(
        'no_longer_for_sale',
        `The shop took ${laptop.name} down, so it cannot be changed. Nothing was saved.`,
      );
    case 'blocked':
      throw new Refusal(
        'no_longer_for_sale',
        `A lock was found on ${laptop.name}. Nothing was saved; please have the lock released, measure the laptop again, and change it then.`,
      );
    case 'withdrawn':
      throw new Refusal(
        'no_longer_for_sale',
        `${laptop.name} is withdrawn. Nothing was saved; please sell it again first, and change it then.`,
      );
    case 'available':
      if (laptop.version === version) return laptop;
      throw new Refusal(
        'changed_elsewhere',
        `${laptop.name} was changed in the meantime, perhaps in another tab. Nothing was saved.`,
      );
  }
}

/**
 * Changes the seller's laptop that is for sale. Publish `changeRequested` before.
 * @param images its photos in their stored form
 * @throws Refusal when it is not the seller's, was changed since the version, cannot be changed now, or a reaction refuses
 */
export async function changeLaptop(
  transaction: Transaction,
  { enqueue, laptopEvents, shop }: PublishDependencies,
  seller: Caller,
  { id, change, images }: { id: string; change: Change; images: readonly string[] },
): Promise<void> {
  if (!(await lockActiveAccountForShare(transaction, seller.userId))) throw accountEnded();
  const before = requireChangeable(await store.selectLaptopForUpdate(transaction, id), seller, change);
  await publish(transaction, laptopEvents.changing, { before }, enqueue);
  await replaceListing(transaction, before, change, images, { shop });
  await publish(transaction, laptopEvents.changed, { before }, enqueue);
  if (before.resale_price_cents === change.resale_price) return;
  const newPrice = { laptopId: id, priceVersion: before.version + 1 };
  await publish(transaction, laptopEvents.priceChanged, newPrice, enqueue);
}
