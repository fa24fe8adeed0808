import type { FastifyInstance } from 'fastify';
import { readOwnLaptop } from '#contract/listings/catalogue.ts';
import * as contract from '#contract/sales/bookings.ts';
import { chooseBookingDelivery } from '#contract/sales/shipping.ts';
import { toPhotoUrl } from '#server/listings/catalogue/rules.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import { requirePhone } from '#server/people/phone-numbers.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { requireOwnEmail } from '#server/platform/http/guard.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import * as notifications from './notifications.ts';
import { readOwnListing } from './own-listing.ts';
import { requireIdentity } from './refusals.ts';
import { toResponse } from './rules.ts';
import { removeExpiredPaymentWindows } from './steps.ts';
import * as store from './store.ts';

export interface BookingsOptions extends Context, NotificationDependencies {
  /** Whether the shop takes real money, so that it must say who it is. */
  isLive: boolean;
}

/** Routes for the buyer's and the seller's bookings. */
function bookingRoutes(serve: Serve, options: BookingsOptions): void {
  const { database, enqueue, origin } = options;
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);

  serve(contract.listBookings, async (call) => {
    requireOwnEmail(call.caller, call.query.email);
    const page = await store.ofBuyer(database, call.caller.userId, pageRequest(call.query));
    return sendPage(call, page, (row) => toResponse(row, 'buyer', photoUrl));
  });

  serve(contract.listOwnBuyers, async (call) => {
    const page = await store.ofSeller(database, call.caller.userId, pageRequest(call.query));
    return sendPage(call, page, (row) => toResponse(row, 'seller', photoUrl));
  });

  serve(contract.readBooking, async ({ caller, params }) => {
    const row = await store.findShownBooking(database, params._id, caller.userId);
    if (row === undefined || (row.buyer_id !== caller.userId && row.seller_id !== caller.userId)) {
      throw new Refusal('not_found', 'There is no such booking of yours.');
    }
    return toResponse(row, row.buyer_id === caller.userId ? 'buyer' : 'seller', photoUrl);
  });

  serve(contract.cancelBooking, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: (await actions.cancel({ database, enqueue }, caller, params._id)) ? 1 : 0,
  }));

  serve(contract.agreeToPrice, async ({ caller, params, body }) => {
    const agreement = { bookingId: params._id, priceCents: body.price };
    return modified(await actions.agreeToPrice(database, caller, agreement));
  });

  serve(chooseBookingDelivery, async ({ caller, params, body }) =>
    modified(await actions.chooseBookingDelivery(database, caller, params._id, body)),
  );

  serve(contract.closePaymentWindow, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: (await actions.closePaymentWindow(database, caller, params._id)) ? 1 : 0,
  }));

  serve(readOwnLaptop, ({ caller, params }) => readOwnListing(database, caller, params._id, origin));

  serve.idempotent(contract.book, async ({ caller, body }, transact) => {
    requireIdentity(options);
    const booking = { ...body, phone: requirePhone(body, 'phone', options) };
    return transact(async (transaction) => {
      const answer = await actions.book(transaction, enqueue, caller, booking);
      return 'refusal' in answer
        ? { acknowledged: false, message: answer.refusal }
        : {
            acknowledged: true,
            message: 'Booking Successful. Now pay the bill.',
            insertedId: answer.insertedId,
          };
    });
  });
}

/** Bookings and payment windows: routes, emails to the seller and about prices, removal of expired payment windows. */
export async function bookingsPlugin(app: FastifyInstance, options: BookingsOptions): Promise<void> {
  const { api, work, database } = options;
  await registerCalls(app, api, (serve) => bookingRoutes(serve, options));
  for (const each of notifications.all) each.sendIn(work, options);
  work.handle(notifications.priceChanged, (data, jobId) =>
    notifications.notifyPriceChanged(options, data, jobId),
  );
  work.sweep('expired payment windows could not be removed', () =>
    removeExpiredPaymentWindows(database, new Date()),
  );
}
