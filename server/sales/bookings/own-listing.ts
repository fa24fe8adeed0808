import { MAXIMUM_AGREED_PRICES, type OwnListing } from '#contract/listings/catalogue.ts';
import { amountFromCents } from '#contract/platform/scalars.ts';
import { notOwnLaptop } from '#server/listings/catalogue/refusals.ts';
import { ownLaptopResponse } from '#server/listings/catalogue/rules.ts';
import { findListedLaptop, selectLaptopForShare } from '#server/listings/catalogue/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { paymentWindowEnd } from './steps.ts';
import { countByAgreedPrice } from './store.ts';

/** Reads one of the seller's laptops for the form that changes it. @throws Refusal when it is not the seller's */
export function readOwnListing(
  database: Database,
  seller: Caller,
  id: string,
  origin: string,
): Promise<OwnListing> {
  return database.transaction().execute(async (transaction) => {
    const laptop = await selectLaptopForShare(transaction, id);
    const listed = await findListedLaptop(transaction, id);
    if (laptop === undefined || listed === undefined || laptop.seller_id !== seller.userId) {
      throw notOwnLaptop();
    }
    const isForSale = laptop.state === 'available';
    const agreed = isForSale ? await countByAgreedPrice(transaction, id, MAXIMUM_AGREED_PRICES) : [];
    const paymentWindowEndsAt = isForSale ? await paymentWindowEnd(transaction, id, new Date()) : null;
    return {
      ...ownLaptopResponse(listed, origin),
      slipCode: laptop.slip_code,
      version: laptop.version,
      unpaidBookings: agreed.map(({ price_cents, count }) => ({
        agreedPrice: amountFromCents(price_cents),
        count,
      })),
      ...(paymentWindowEndsAt !== null && { paymentWindowEndsAt: paymentWindowEndsAt.toISOString() }),
    };
  });
}
