import {
  addRememberedLocks,
  type LevelDependencies,
  updateLevel,
} from '#server/certification/inspections/steps.ts';
import {
  isMeasurementNeeded,
  relistLaptop,
  selectLaptopForUpdate,
} from '#server/listings/catalogue/steps.ts';
import { lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import * as holdStore from './hold-store.ts';
import * as store from './store.ts';

/**
 * Lists the seller's withdrawn laptop for sale again. The withdrawal cancelled its bookings by the laptop's state, which
 * changes here, so their cancellation is stored.
 * @param postedTime the seller's local date and time; the server's when undefined
 * @returns rows changed: 0 when it is for sale already
 * @throws Refusal when it is not the seller's, is sold, was taken down or must be measured first, or the account has ended
 */
export async function sellAgain(
  dependencies: LevelDependencies & { database: Database; cache: ResponseCache },
  seller: Caller,
  { id, postedTime = new Date().toLocaleString('en-US', { timeZoneName: 'short' }) }: SellAgainInput,
): Promise<number> {
  const { database, cache } = dependencies;
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccountForShare(transaction, seller.userId))) throw accountEnded();
    const laptop = await selectLaptopForUpdate(transaction, id);
    if (laptop === undefined || laptop.seller_id !== seller.userId) {
      throw new Refusal('not_found', 'There is no such laptop among your products.');
    }
    if (laptop.state === 'available') return 0;
    if (laptop.state === 'sold') throw new Refusal('already_sold', `${laptop.name} is sold.`);
    if (await isMeasurementNeeded(transaction, id)) {
      throw new Refusal(
        'not_measured',
        `A buyer sent ${laptop.name} back as not working or not as described, so it must be measured again first. Nothing was changed, and everything about it is kept. Please measure it from My Products, under Deleted and returned laptops; then you can sell it again.`,
      );
    }
    if (!(await relistLaptop(transaction, id, postedTime))) {
      throw new Refusal('not_found', `The shop took ${laptop.name} down, so it cannot be sold again.`);
    }
    await store.cancelByWithdrawal(transaction, id);
    await holdStore.deleteHold(transaction, id);
    await holdStore.deleteWaitsFor(transaction, id);
    await addRememberedLocks(transaction, laptop);
    await updateLevel(transaction, dependencies, id);
    return 1;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

interface SellAgainInput {
  id: string;
  postedTime: string | undefined;
}
