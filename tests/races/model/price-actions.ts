import { relistLaptop } from '#contract/listings/catalogue.ts';
import { agreeToPrice, cancelBooking, readBooking } from '#contract/sales/bookings.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Action, assert, bookingAt, laptopAt, outcomeOf, personAt, requireCode } from './actions.ts';
import { bookingKey, keeperOf } from './world.ts';

export const changePrice = (laptop: number, price: number): Action => ({
  name: `the seller changes the price of laptop ${laptop} to $${price}`,
  isPossible: (model) => !model.sellerEnded,
  run: async (model, world) => {
    const isGone = (await keeperOf(world, laptop)) !== undefined || model.removed.has(laptop);
    const call = changeListing(world.seller, laptopAt(world, laptop), { resale_price: price });
    const { code } = await outcomeOf(call);
    requireCode('Changing the price', code, [
      ...(isGone ? [] : ['ok', 'somebody_is_paying', 'card_processor_unavailable', 'changed_elsewhere']),
      ...['already_sold', 'no_longer_for_sale', 'account_ended'],
    ]);
    if (code === 'ok') model.prices.set(laptop, price);
  },
});

export const agreeToNewPrice = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} agrees to the price of laptop ${laptop}`,
  isPossible: (model) => model.bookings.has(bookingKey(buyer, laptop)),
  run: async (model, world) => {
    const params = { _id: bookingAt(model, buyer, laptop).bookingId };
    const { client } = personAt(world.buyers, buyer);
    const shown = (await outcomeOf(client.call(readBooking, { params }))).answer;
    if (shown?.newPrice === undefined) return;
    const call = client.call(agreeToPrice, { params, body: { price: shown.newPrice } });
    requireCode('Agreeing', (await outcomeOf(call)).code, [
      ...['ok', 'price_differs', 'already_paid', 'already_sold', 'booking_cancelled', 'account_ended'],
    ]);
  },
});

export const cancelOwnBooking = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} cancels the booking of laptop ${laptop}`,
  isPossible: (model) => model.bookings.has(bookingKey(buyer, laptop)),
  run: async (model, world) => {
    const isOwner = (await keeperOf(world, laptop)) === buyer;
    const booking = bookingAt(model, buyer, laptop);
    const { client } = personAt(world.buyers, buyer);
    const call = client.call(cancelBooking, { params: { _id: booking.bookingId } });
    const { code } = await outcomeOf(call);
    requireCode('Cancelling', code, [
      ...(isOwner ? [] : ['ok', 'already_sold']),
      ...['already_paid', 'account_ended'],
    ]);
    if (code === 'ok') booking.isCancelled = true;
  },
});

/** Only alone: what is known of a laptop that left the shop, or whose sale has ended, ends here. */
export const sellAgain = (laptop: number): Action => ({
  name: `the seller sells laptop ${laptop} again`,
  isPossible: (model) => (model.removed.has(laptop) || model.sold.has(laptop)) && !model.sellerEnded,
  run: async (model, world) => {
    const params = { _id: laptopAt(world, laptop) };
    const isKept = (await keeperOf(world, laptop)) !== undefined;
    const { code, answer } = await outcomeOf(world.seller.client.call(relistLaptop, { params, body: {} }));
    // A laptop that its buyer did not take is measured first.
    const refusals = ['not_found', 'already_sold', 'not_measured', 'account_ended'];
    requireCode('Selling again', code, ['ok', ...refusals]);
    if (code !== 'ok' || answer?.modifiedCount !== 1) return;
    assert(!isKept, `Laptop ${laptop} is sold again while its buyer has it.`);
    model.removed.delete(laptop);
    model.sold.delete(laptop);
    for (const buyer of world.buyers.keys()) {
      const booking = model.bookings.get(bookingKey(buyer, laptop));
      if (booking !== undefined) booking.isCancelled = true;
    }
  },
});
