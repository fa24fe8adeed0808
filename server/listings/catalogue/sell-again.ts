import { currency } from '#contract/platform/money.ts';
import { lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { publish } from '../events.ts';
import type { CatalogueDependencies } from './actions.ts';
import { countryRefusal, priceRefusal } from './listing.ts';
import { notOwnLaptop } from './refusals.ts';
import { requireNoShopName } from './shop-name.ts';
import * as store from './store.ts';

/**
 * Lists the seller's withdrawn laptop for sale again.
 * @param postedTime the seller's local date and time; the server's when undefined
 * @returns rows changed: 0 when it is for sale already
 * @throws Refusal when it is not the seller's, is sold, was taken down, must be measured first, is below the least price or
 *   sent from a country that was removed, or the account has ended
 */
export async function sellAgain(
  { database, cache, enqueue, laptopEvents, shop }: CatalogueDependencies,
  seller: Caller,
  { id, postedTime = new Date().toLocaleString('en-US', { timeZoneName: 'short' }) }: SellAgainInput,
): Promise<number> {
  requireNoShopName({ posted_time: postedTime }, shop().name);
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccountForShare(transaction, seller.userId))) throw accountEnded();
    const laptop = await store.selectLaptopForUpdate(transaction, id);
    if (laptop === undefined || laptop.seller_id !== seller.userId) {
      throw notOwnLaptop();
    }
    if (laptop.state === 'available') return 0;
    if (laptop.state === 'sold') throw new Refusal('already_sold', `${laptop.name} is sold.`);
    if (await store.isMeasurementNeeded(transaction, id)) {
      throw new Refusal(
        'not_measured',
        `A buyer sent ${laptop.name} back or did not take it, so it must be measured first. Nothing was changed, and everything about it is kept. Please measure it from My Products, under Deleted and returned laptops; then you can sell it again.`,
      );
    }
    const brand = await store.findBrand(transaction, laptop.brand);
    if (brand?.isHidden === true) {
      throw new Refusal(
        'not_found',
        `The shop takes no new ${brand.name} laptops. ${laptop.name} stays under My Products, and you can sell it again when it does.`,
      );
    }
    const refusal =
      priceRefusal(laptop.resale_price_cents, shop()) ?? countryRefusal(laptop.ships_from, shop());
    if (refusal !== null) {
      throw new Refusal(
        'invalid_input',
        `${refusal}, so ${laptop.name} cannot be sold again as it is. Please list it anew.`,
      );
    }
    if (!(await store.relist(transaction, id, postedTime))) {
      throw new Refusal(
        'not_found',
        laptop.state === 'blocked'
          ? `A lock was found on ${laptop.name}, so it cannot be sold again before a measurement finds none.`
          : laptop.currency === currency.code
            ? `The shop took ${laptop.name} down, so it cannot be sold again.`
            : `The shop sells in ${currency.code} now, and the price of ${laptop.name} is in ${laptop.currency}. Please list it anew.`,
      );
    }
    await publish(transaction, laptopEvents.relisted, { laptop }, enqueue);
    return 1;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

interface SellAgainInput {
  id: string;
  postedTime: string | undefined;
}
