import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { reportLaptop, takeDownLaptop } from '#contract/listings/reports.ts';
import { deleteBuyer, deleteSeller } from '#contract/operations/user-admin.ts';
import { Problem } from '#contract/platform/client.ts';
import { book, closePaymentWindow, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { retryRefund } from '#server/sales/payments/refunds.ts';
import type { Person } from '#tests/harness/operations/shop.ts';
import { sampleAddress } from '#tests/harness/sales/sold-laptop.ts';
import {
  type Booking,
  bookingKey,
  expirePaymentWindow,
  failedRefunds,
  keeperOf,
  type Model,
  price,
  shippedLaptop,
  type World,
} from './world.ts';

/** An action of a user or an event in the model. */
export interface Action {
  name: string;
  /** Whether the action's preconditions hold. */
  isPossible(model: Model): boolean;
  /** Runs the action and checks the response against the model before the call. @throws Error on an impossible response */
  run(model: Model, world: World): Promise<void>;
}

/** @throws Error with the message unless the condition holds */
export function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

/** Returns the response, or the code of a documented refusal. @throws any other error */
export async function outcomeOf<Answer>(work: Promise<Answer>): Promise<{ code: string; answer?: Answer }> {
  try {
    return { code: 'ok', answer: await work };
  } catch (error) {
    if (!(error instanceof Problem) || error.status < 400 || error.code === 'internal') throw error;
    assert(error.message.length > 10, `The refusal ${error.code} has no message.`);
    return { code: error.code };
  }
}

export function requireCode(action: string, code: string, allowed: readonly string[]): void {
  assert(allowed.includes(code), `${action} returned ${code}; allowed are ${allowed.join(', ')}.`);
}

export function personAt(people: readonly Person[], index: number): Person {
  const person = people[index];
  if (person === undefined) throw new RangeError(`There is no person ${index}.`);
  return person;
}

export function bookingAt(model: Model, buyer: number, laptop: number): Booking {
  const booking = model.bookings.get(bookingKey(buyer, laptop));
  if (booking === undefined) throw new RangeError('There is no such booking.');
  return booking;
}

export const laptopAt = ({ laptops }: World, index: number) => laptops[index] ?? '';
const transactionOf = (booking: Booking) => booking.clientSecret?.split('_secret_')[0] ?? '';

export const bookLaptop = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} books laptop ${laptop}`,
  isPossible: (model) =>
    model.bookings.get(bookingKey(buyer, laptop))?.isCancelled !== false && !model.endedBuyers.has(buyer),
  run: async (model, world) => {
    const isUnavailable = model.removed.has(laptop) || (await keeperOf(world, laptop)) !== undefined;
    const body = {
      price: model.prices.get(laptop) ?? price,
      phone: '+351 900 000 000',
      productCode: laptopAt(world, laptop),
      ...(laptop === shippedLaptop
        ? { delivery: 'ship' as const, address: sampleAddress }
        : { location: 'Central Station' }),
    };
    const { code, answer } = await outcomeOf(personAt(world.buyers, buyer).client.call(book, { body }));
    requireCode('Booking', code, ['ok', 'account_ended']);
    if (answer?.insertedId === undefined) return;
    assert(!isUnavailable, 'A laptop that was no longer available was booked.');
    // The client secret of a cancelled booking stays on an open page.
    const clientSecret = model.bookings.get(bookingKey(buyer, laptop))?.clientSecret ?? null;
    const booking = { bookingId: answer.insertedId, clientSecret, isCancelled: false };
    model.bookings.set(bookingKey(buyer, laptop), booking);
  },
});

/** Returns the codes that preparing a payment may return, given the known facts. @param keeper see {@link keeperOf} */
function allowedPrepareCodes(
  model: Model,
  [buyer, laptop]: readonly [number, number],
  keeper: number | undefined,
): readonly string[] {
  if (model.endedBuyers.has(buyer)) return ['account_ended'];
  // The account may end concurrently, and the booking may be one of an earlier sale.
  if (keeper === buyer) return ['already_paid', 'booking_cancelled', 'account_ended'];
  // The booking may have been cancelled before the sale.
  if (keeper !== undefined) return ['already_sold', 'booking_cancelled', 'already_paid', 'account_ended'];
  if (model.removed.has(laptop)) return ['booking_cancelled', 'account_ended'];
  return [
    ...[
      'ok',
      'somebody_is_paying',
      'too_many_payment_windows',
      'already_paid',
      'already_sold',
      'booking_cancelled',
      'refunded',
      'price_not_agreed',
      'price_differs',
    ],
    ...['card_processor_unavailable', 'account_ended'],
  ];
}

export const preparePayment = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} opens the payment of laptop ${laptop}`,
  isPossible: (model) => model.bookings.has(bookingKey(buyer, laptop)),
  run: async (model, world) => {
    const booking = bookingAt(model, buyer, laptop);
    const allowed = allowedPrepareCodes(model, [buyer, laptop], await keeperOf(world, laptop));
    const { client } = personAt(world.buyers, buyer);
    const params = { _id: booking.bookingId };
    const shown = (await outcomeOf(client.call(readBooking, { params }))).answer;
    const body = { price: shown?.price ?? price, bookingId: booking.bookingId };
    const { code, answer } = await outcomeOf(client.call(createPaymentIntent, { body }));
    requireCode('Preparing', code, allowed);
    if (answer !== undefined) booking.clientSecret = answer.clientSecret;
    if (code === 'already_paid') recordSale(model, laptop);
  },
});

/** Whether a payment of a laptop can be confirmed: not of one that was removed unsold. A sale that has ended stays confirmed. */
const canBeConfirmed = (model: Model, laptop: number) => !model.removed.has(laptop) || model.sold.has(laptop);

/** Records a sale that the shop has confirmed. That one sale at a time stands is an invariant of each run. */
function recordSale(model: Model, laptop: number): void {
  assert(canBeConfirmed(model, laptop), `Laptop ${laptop} was sold after its removal.`);
  model.sold.add(laptop);
}

export const payByCard = (buyer: number, laptop: number, card: string): Action => ({
  name: `buyer ${buyer} pays for laptop ${laptop} with …${card.slice(-4)}`,
  isPossible: (model) => typeof model.bookings.get(bookingKey(buyer, laptop))?.clientSecret === 'string',
  run: async (model, { shop }) => {
    // When the response is lost, the card may still have been charged.
    await shop.pay(bookingAt(model, buyer, laptop).clientSecret ?? '', card).catch(() => undefined);
  },
});

export const reportPayment = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} reports the payment of laptop ${laptop}`,
  isPossible: (model) => typeof model.bookings.get(bookingKey(buyer, laptop))?.clientSecret === 'string',
  run: async (model, world) => {
    const booking = bookingAt(model, buyer, laptop);
    const isConfirmable = canBeConfirmed(model, laptop);
    const allowed = model.endedBuyers.has(buyer)
      ? ['account_ended']
      : [
          ...(isConfirmable ? ['ok'] : []),
          ...['payment_not_proven', 'refunded', 'card_processor_unavailable', 'account_ended'],
        ];
    const body = { price, bookingId: booking.bookingId, transactionId: transactionOf(booking) };
    const { client } = personAt(world.buyers, buyer);
    const { code } = await outcomeOf(client.call(recordPayment, { body }));
    requireCode('Reporting', code, allowed);
    if (code === 'ok') recordSale(model, laptop);
  },
});

export const reportForeignPayment = (buyer: number, other: number, laptop: number): Action => ({
  name: `buyer ${buyer} reports the payment of buyer ${other} for laptop ${laptop}`,
  isPossible: (model) =>
    buyer !== other &&
    !model.endedBuyers.has(buyer) &&
    model.bookings.has(bookingKey(buyer, laptop)) &&
    typeof model.bookings.get(bookingKey(other, laptop))?.clientSecret === 'string',
  run: async (model, world) => {
    const { bookingId } = bookingAt(model, buyer, laptop);
    const body = { price, bookingId, transactionId: transactionOf(bookingAt(model, other, laptop)) };
    const { client } = personAt(world.buyers, buyer);
    const { code } = await outcomeOf(client.call(recordPayment, { body }));
    requireCode('Reporting somebody else’s payment', code, [
      ...['payment_not_proven', 'card_processor_unavailable', 'account_ended'],
    ]);
  },
});

/** Checks the code of a call that removes a laptop from the shop, and records the removal. */
function recordRemoval(action: string, model: Model, laptop: number, code: string, wasSold: boolean): void {
  requireCode(action, code, wasSold ? ['already_sold', 'not_found', 'account_ended'] : removalCodes);
  if (code !== 'ok') return;
  model.removed.add(laptop);
}
const removalCodes = ['ok', 'already_sold', 'not_found', 'account_ended'];

export const withdrawLaptop = (laptop: number): Action => ({
  name: `the seller withdraws laptop ${laptop}`,
  isPossible: () => true,
  run: async (model, world) => {
    const wasSold = (await keeperOf(world, laptop)) !== undefined;
    const call = world.seller.client.call(deleteOwnLaptop, { params: { _id: laptopAt(world, laptop) } });
    recordRemoval('Withdrawing', model, laptop, (await outcomeOf(call)).code, wasSold);
  },
});

export const takeDownByAdmin = (laptop: number): Action => ({
  name: `an admin takes laptop ${laptop} down`,
  isPossible: () => true,
  run: async (model, world) => {
    const wasSold = (await keeperOf(world, laptop)) !== undefined;
    const productCode = laptopAt(world, laptop);
    const report = world.admin.client.call(reportLaptop, { body: { productCode, reason: 'Stolen' } });
    requireCode('Filing a report', (await outcomeOf(report)).code, ['ok', 'not_found']);
    const body = { note: 'Its serial number is on a list.' };
    const call = world.admin.client.call(takeDownLaptop, { params: { _id: productCode }, body });
    recordRemoval('Taking down', model, laptop, (await outcomeOf(call)).code, wasSold);
  },
});

export const deleteBuyerAccount = (buyer: number): Action => ({
  name: `an admin deletes buyer ${buyer}`,
  isPossible: (model) => !model.endedBuyers.has(buyer),
  run: async (model, world) => {
    const params = { _id: personAt(world.buyers, buyer).userId };
    const { code } = await outcomeOf(world.admin.client.call(deleteBuyer, { params }));
    requireCode('Deleting a buyer', code, ['ok', 'not_found']);
    if (code === 'ok') model.endedBuyers.add(buyer);
  },
});

export const deleteSellerAccount = (): Action => ({
  name: 'an admin deletes the seller',
  isPossible: (model) => !model.sellerEnded,
  run: async (model, world) => {
    const call = world.admin.client.call(deleteSeller, { params: { _id: world.seller.userId } });
    requireCode('Deleting a seller', (await outcomeOf(call)).code, ['ok', 'not_found']);
    model.sellerEnded = true;
  },
});

export const retryFailedRefunds = (): Action => ({
  name: 'an admin retries every failed refund',
  isPossible: () => true,
  run: async (_model, { shop, laptops }) => {
    for (const transactionId of await failedRefunds(shop, laptops)) {
      // Of concurrent retries only one starts.
      await retryRefund(shop.connection.database, transactionId);
    }
  },
});

export const closePaymentWindowOfLaptop = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} releases the payment window on laptop ${laptop}`,
  isPossible: (model) => model.bookings.has(bookingKey(buyer, laptop)),
  run: async (model, world) => {
    const allowed = model.endedBuyers.has(buyer) ? ['account_ended'] : ['ok', 'account_ended'];
    const params = { _id: bookingAt(model, buyer, laptop).bookingId };
    const { client } = personAt(world.buyers, buyer);
    requireCode(
      'Releasing the payment window',
      (await outcomeOf(client.call(closePaymentWindow, { params }))).code,
      allowed,
    );
  },
});

export const expirePaymentWindowOfLaptop = (laptop: number, usedUp: boolean): Action => ({
  name: `the payment window on laptop ${laptop} expires${usedUp ? ', with its 20 minutes used up' : ''}`,
  isPossible: (model) => model.bookings.size > 0,
  run: (_model, world) => expirePaymentWindow(world, laptop, { usedUp, queue: usedUp ? 'emptied' : 'kept' }),
});
