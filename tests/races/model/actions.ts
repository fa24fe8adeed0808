import { book, releaseHold } from '#contract/bookings.ts';
import { deleteOwnLaptop } from '#contract/catalogue.ts';
import { Problem } from '#contract/client.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { deleteBuyer, deleteSeller } from '#contract/people.ts';
import { reportLaptop, takeDownLaptop } from '#contract/reports.ts';
import { retryRefund } from '#server/payments/refund-retry.ts';
import type { Person } from '#tests/harness/shop.ts';
import { type Deal, dealKey, expireHold, failedRefunds, type Model, price, type World } from './world.ts';

/** An action of a user or an event in the model. */
export interface Action {
  name: string;
  /** Whether the action's preconditions hold. */
  possible(model: Model): boolean;
  /** Runs the action and checks the response against the facts known before. @throws Error on an impossible response */
  run(model: Model, world: World): Promise<void>;
}

/** @throws Error with the sentence unless the condition holds */
function require(condition: boolean, sentence: string): void {
  if (!condition) throw new Error(sentence);
}

/** Returns the response or the code of a documented refusal. @throws other errors */
async function answerOf<Answer>(work: Promise<Answer>): Promise<{ code: string; answer?: Answer }> {
  try {
    return { code: 'ok', answer: await work };
  } catch (error) {
    if (!(error instanceof Problem) || error.status < 400 || error.code === 'internal') throw error;
    require(error.message.length > 10, `The refusal ${error.code} says nothing.`);
    return { code: error.code };
  }
}

function requireCode(act: string, code: string, allowed: readonly string[]): void {
  require(allowed.includes(code), `${act} answered ${code}, where only ${allowed.join(', ')} can be.`);
}

function personAt(people: readonly Person[], index: number): Person {
  const person = people[index];
  if (person === undefined) throw new RangeError(`There is no person ${index}.`);
  return person;
}

function dealAt(model: Model, buyer: number, laptop: number): Deal {
  const deal = model.deals.get(dealKey(buyer, laptop));
  if (deal === undefined) throw new RangeError('There is no such booking.');
  return deal;
}

const laptopAt = ({ laptops }: World, index: number) => laptops[index] ?? '';
const transactionOf = (deal: Deal) => deal.clientSecret?.split('_secret_')[0] ?? '';

export const books = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} books laptop ${laptop}`,
  possible: (model) => !model.deals.has(dealKey(buyer, laptop)) && !model.endedBuyers.has(buyer),
  run: async (model, world) => {
    const offShelf = model.soldTo.has(laptop) || model.gone.has(laptop);
    const body = {
      price,
      phone: '+351 900 000 000',
      location: 'Central Station',
      productCode: laptopAt(world, laptop),
    };
    const { code, answer } = await answerOf(personAt(world.buyers, buyer).client.call(book, { body }));
    requireCode('Booking', code, ['ok', 'account_ended']);
    if (answer?.insertedId === undefined) return;
    require(!offShelf, 'A laptop that had left the shelf was booked.');
    model.deals.set(dealKey(buyer, laptop), { bookingId: answer.insertedId, clientSecret: null });
  },
});

/** Returns the codes that preparing a payment may return, given the known facts. */
function allowedPrepareCodes(model: Model, buyer: number, laptop: number): readonly string[] {
  if (model.endedBuyers.has(buyer)) return ['account_ended'];
  const owner = model.soldTo.get(laptop);
  // The account may end concurrently.
  if (owner !== undefined) return [owner === buyer ? 'already_paid' : 'already_sold', 'account_ended'];
  if (model.gone.has(laptop)) return ['booking_cancelled', 'account_ended'];
  return [
    ...[
      'ok',
      'somebody_is_paying',
      'too_many_holds',
      'already_paid',
      'already_sold',
      'booking_cancelled',
      'refunded',
    ],
    ...['card_processor_unavailable', 'account_ended'],
  ];
}

export const prepares = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} opens the payment of laptop ${laptop}`,
  possible: (model) => model.deals.has(dealKey(buyer, laptop)),
  run: async (model, world) => {
    const deal = dealAt(model, buyer, laptop);
    const allowed = allowedPrepareCodes(model, buyer, laptop);
    const body = { price, bookingId: deal.bookingId };
    const { client } = personAt(world.buyers, buyer);
    const { code, answer } = await answerOf(client.call(createPaymentIntent, { body }));
    requireCode('Preparing', code, allowed);
    if (answer !== undefined) deal.clientSecret = answer.clientSecret;
    if (code === 'already_paid') sold(model, buyer, laptop);
  },
});

/** Records a sale that the shop has confirmed. */
function sold(model: Model, buyer: number, laptop: number): void {
  const owner = model.soldTo.get(laptop);
  require(owner === undefined ||
    owner === buyer, `Laptop ${laptop} was sold to buyers ${owner} and ${buyer}.`);
  require(!model.gone.has(laptop), `Laptop ${laptop} was sold after it had left the shop.`);
  model.soldTo.set(laptop, buyer);
}

export const pays = (buyer: number, laptop: number, card: string): Action => ({
  name: `buyer ${buyer} pays laptop ${laptop} with …${card.slice(-4)}`,
  possible: (model) => typeof model.deals.get(dealKey(buyer, laptop))?.clientSecret === 'string',
  run: async (model, { shop }) => {
    // Without a response the charge may have been made all the same.
    await shop.pay(dealAt(model, buyer, laptop).clientSecret ?? '', card).catch(() => undefined);
  },
});

export const reports = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} reports the payment of laptop ${laptop}`,
  possible: (model) => typeof model.deals.get(dealKey(buyer, laptop))?.clientSecret === 'string',
  run: async (model, world) => {
    const deal = dealAt(model, buyer, laptop);
    const owner = model.soldTo.get(laptop);
    const lost = model.gone.has(laptop) || (owner !== undefined && owner !== buyer);
    const allowed = model.endedBuyers.has(buyer)
      ? ['account_ended']
      : [
          ...(lost ? [] : ['ok']),
          ...['payment_not_proven', 'refunded', 'card_processor_unavailable', 'account_ended'],
        ];
    const body = { price, bookingId: deal.bookingId, transactionId: transactionOf(deal) };
    const { client } = personAt(world.buyers, buyer);
    const { code } = await answerOf(client.call(recordPayment, { body }));
    requireCode('Reporting', code, allowed);
    if (code === 'ok') sold(model, buyer, laptop);
  },
});

export const reportsForeign = (buyer: number, other: number, laptop: number): Action => ({
  name: `buyer ${buyer} reports the payment of buyer ${other} for laptop ${laptop}`,
  possible: (model) =>
    buyer !== other &&
    !model.endedBuyers.has(buyer) &&
    model.deals.has(dealKey(buyer, laptop)) &&
    typeof model.deals.get(dealKey(other, laptop))?.clientSecret === 'string',
  run: async (model, world) => {
    const { bookingId } = dealAt(model, buyer, laptop);
    const body = { price, bookingId, transactionId: transactionOf(dealAt(model, other, laptop)) };
    const { client } = personAt(world.buyers, buyer);
    const { code } = await answerOf(client.call(recordPayment, { body }));
    requireCode('Reporting somebody else’s payment', code, [
      ...['payment_not_proven', 'card_processor_unavailable', 'account_ended'],
    ]);
  },
});

/** Records that a laptop has left the shop, if the call succeeded. */
function leaves(act: string, model: Model, laptop: number, code: string, wasSold: boolean): void {
  requireCode(act, code, wasSold ? ['already_sold', 'not_found', 'account_ended'] : leaving);
  if (code !== 'ok') return;
  require(!model.soldTo.has(laptop), `Laptop ${laptop} left the shop after it was sold.`);
  model.gone.add(laptop);
}
const leaving = ['ok', 'already_sold', 'not_found', 'account_ended'];

export const withdraws = (laptop: number): Action => ({
  name: `the seller withdraws laptop ${laptop}`,
  possible: () => true,
  run: async (model, world) => {
    const wasSold = model.soldTo.has(laptop);
    const call = world.seller.client.call(deleteOwnLaptop, { params: { _id: laptopAt(world, laptop) } });
    leaves('Withdrawing', model, laptop, (await answerOf(call)).code, wasSold);
  },
});

export const takesDown = (laptop: number): Action => ({
  name: `an admin takes laptop ${laptop} down`,
  possible: () => true,
  run: async (model, world) => {
    const wasSold = model.soldTo.has(laptop);
    const productCode = laptopAt(world, laptop);
    const report = world.admin.client.call(reportLaptop, { body: { productCode, reason: 'Stolen' } });
    requireCode('Filing a report', (await answerOf(report)).code, ['ok', 'not_found']);
    const body = { note: 'Its serial number is on a list.' };
    const call = world.admin.client.call(takeDownLaptop, { params: { _id: productCode }, body });
    leaves('Taking down', model, laptop, (await answerOf(call)).code, wasSold);
  },
});

export const endsBuyer = (buyer: number): Action => ({
  name: `an admin deletes buyer ${buyer}`,
  possible: (model) => !model.endedBuyers.has(buyer),
  run: async (model, world) => {
    const params = { _id: personAt(world.buyers, buyer).userId };
    const { code } = await answerOf(world.admin.client.call(deleteBuyer, { params }));
    requireCode('Deleting a buyer', code, ['ok', 'not_found']);
    if (code === 'ok') model.endedBuyers.add(buyer);
  },
});

export const endsSeller = (): Action => ({
  name: 'an admin deletes the seller',
  possible: (model) => !model.sellerEnded,
  run: async (model, world) => {
    const call = world.admin.client.call(deleteSeller, { params: { _id: world.seller.userId } });
    requireCode('Deleting a seller', (await answerOf(call)).code, ['ok', 'not_found']);
    model.sellerEnded = true;
  },
});

export const refundsAgain = (): Action => ({
  name: 'somebody has every failed refund tried again',
  possible: () => true,
  run: async (_model, { shop, laptops }) => {
    for (const transactionId of await failedRefunds(shop, laptops)) {
      // Of concurrent retries only one starts.
      await retryRefund(shop.connection.database, transactionId);
    }
  },
});

export const letsGo = (buyer: number, laptop: number): Action => ({
  name: `buyer ${buyer} lets go of laptop ${laptop}`,
  possible: (model) => model.deals.has(dealKey(buyer, laptop)),
  run: async (model, world) => {
    const allowed = model.endedBuyers.has(buyer) ? ['account_ended'] : ['ok', 'account_ended'];
    const params = { _id: dealAt(model, buyer, laptop).bookingId };
    const { client } = personAt(world.buyers, buyer);
    requireCode('Letting go', (await answerOf(client.call(releaseHold, { params }))).code, allowed);
  },
});

export const lapses = (laptop: number, usedUp: boolean): Action => ({
  name: `the hold on laptop ${laptop} lapses${usedUp ? ', its 20 minutes used up' : ''}`,
  possible: (model) => model.deals.size > 0,
  run: (_model, world) => expireHold(world, laptop, { usedUp, line: usedUp ? 'gone' : 'stays' }),
});
