import * as contract from '#contract/wishlist.ts';
import { shareAccount } from '../accounts/steps.ts';
import { shownPhoto } from '../catalogue/rules.ts';
import { findLaptop } from '../catalogue/steps.ts';
import type { Database } from '../database/tables.ts';
import { demandOwn } from '../http/own.ts';
import { linkNext, sliceOf } from '../http/paging.ts';
import { accountEnded, Refusal } from '../http/refusal.ts';
import type { Serve } from '../http/serve.ts';
import { wishOnTheWire } from './rules.ts';
import * as store from './store.ts';

/** The calls about the caller's own wishlist. */
export function wishlistRoutes(
  serve: Serve,
  { database, origin }: { database: Database; origin: string },
): void {
  const shown = (photo: string) => shownPhoto(photo, origin);

  serve(contract.listWishlist, async ({ caller, query, request, reply }) => {
    demandOwn(caller, query.email);
    const { rows, next } = await store.ofBuyer(database, caller.userId, sliceOf(query));
    linkNext(request, reply, next);
    return rows.map((row) => wishOnTheWire(row, caller, shown));
  });

  serve(contract.readWishlistItem, async ({ caller, params }) => {
    const row = await store.find(database, caller.userId, params._id);
    if (row === undefined) throw new Refusal('not_found', 'There is no such item on your wishlist.');
    return wishOnTheWire(row, caller, shown);
  });

  serve(contract.wish, async ({ caller, body }) => {
    const laptop = await findLaptop(database, body.productCode);
    if (laptop === null) throw new Refusal('not_found', 'There is no such laptop in this shop.');
    if (laptop.state !== 'available') {
      return { acknowledged: false, message: `${laptop.name} is no longer for sale.` };
    }
    const insertedId = await database.transaction().execute(async (transaction) => {
      if (!(await shareAccount(transaction, caller.userId))) throw accountEnded();
      return store.insert(transaction, caller.userId, laptop.id);
    });
    return insertedId === null
      ? { acknowledged: false, message: `You already added ${laptop.name} to your wishlist.` }
      : {
          acknowledged: true,
          message: 'Product added to your wishlist. Please Check it on Dashboard.',
          insertedId,
        };
  });
}
