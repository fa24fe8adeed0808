import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/listings/wishlist.ts';
import { lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { requireOwnEmail } from '#server/platform/http/guard.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import { toPhotoUrl } from '../catalogue/rules.ts';
import { findLaptop } from '../catalogue/steps.ts';
import { toResponse } from './rules.ts';
import * as store from './store.ts';

/** Wishlists of buyers. */
export async function wishlistPlugin(
  app: FastifyInstance,
  { api, database, origin }: Context,
): Promise<void> {
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);
  await registerCalls(app, api, (serve) => {
    serve(contract.listWishlist, async (call) => {
      requireOwnEmail(call.caller, call.query.email);
      const page = await store.ofBuyer(database, call.caller.userId, pageRequest(call.query));
      return sendPage(call, page, (row) => toResponse(row, call.caller, photoUrl));
    });

    serve(contract.readWishlistItem, async ({ caller, params }) => {
      const row = await store.find(database, caller.userId, params._id);
      if (row === undefined) throw new Refusal('not_found', 'There is no such item on your wishlist.');
      return toResponse(row, caller, photoUrl);
    });

    serve(contract.removeWish, async ({ caller, params }) => ({
      acknowledged: true,
      deletedCount: (await store.remove(database, caller.userId, params._id)) ? 1 : 0,
    }));

    serve.idempotent(contract.wish, ({ caller, body }, transact) =>
      transact(async (transaction) => {
        const laptop = await findLaptop(transaction, body.productCode);
        if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
        if (laptop.state !== 'available') {
          return { acknowledged: false, message: `${laptop.name} is no longer for sale.` };
        }
        if (laptop.seller_id === caller.userId) {
          return { acknowledged: false, message: `${laptop.name} is your own laptop.` };
        }
        if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
        const insertedId = await store.insert(transaction, caller.userId, laptop.id);
        return insertedId === null
          ? { acknowledged: false, message: `You already added ${laptop.name} to your wishlist.` }
          : {
              acknowledged: true,
              message: 'Product added to your wishlist. Please Check it on Dashboard.',
              insertedId,
            };
      }),
    );
  });
}
