import * as contract from '#contract/bookings.ts';
import { shownPhoto } from '../catalogue/rules.ts';
import type { Database } from '../database/tables.ts';
import { demandOwn } from '../http/own.ts';
import { linkNext, sliceOf } from '../http/paging.ts';
import { Refusal } from '../http/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import * as actions from './actions.ts';
import { bookingOnTheWire } from './rules.ts';
import * as store from './store.ts';

/** The calls about bookings, for those who made them and for the sellers whose laptops they are of. */
export function bookingRoutes(
  serve: Serve,
  { database, enqueue, origin }: { database: Database; enqueue: Enqueue; origin: string },
): void {
  const shown = (photo: string) => shownPhoto(photo, origin);

  serve(contract.listBookings, async ({ caller, query, request, reply }) => {
    demandOwn(caller, query.email);
    const { rows, next } = await store.ofBuyer(database, caller.userId, sliceOf(query));
    linkNext(request, reply, next);
    return rows.map((row) => bookingOnTheWire(row, shown));
  });

  serve(contract.listOwnBuyers, async ({ caller, query, request, reply }) => {
    const { rows, next } = await store.ofSeller(database, caller.userId, sliceOf(query));
    linkNext(request, reply, next);
    return rows.map((row) => bookingOnTheWire(row, shown));
  });

  serve(contract.readBooking, async ({ caller, params }) => {
    const row = await store.find(database, params._id);
    if (row === undefined || (row.buyer_id !== caller.userId && row.seller_id !== caller.userId)) {
      throw new Refusal('not_found', 'There is no such booking of yours.');
    }
    return bookingOnTheWire(row, shown);
  });

  serve(contract.book, async ({ caller, body }) => {
    const answer = await actions.book({ database, enqueue }, caller, body);
    return 'objection' in answer
      ? { acknowledged: false, message: answer.objection }
      : {
          acknowledged: true,
          message: 'Booking Successful. Now pay the bill.',
          insertedId: answer.insertedId,
        };
  });
}
