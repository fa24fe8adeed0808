import fc from 'fast-check';
import * as actions from './actions.ts';
import * as faults from './faults.ts';
import { buyersCount, laptopsCount, type Model, type World } from './world.ts';

const goodCard = '4242424242424242';
const declinedCard = '4000000000000002';
const askingCard = '4000002760003184';
/** Cards that are charged, and then a refund to them fails, takes its time, or the charge is disputed. */
const laterCards = ['4000000000005126', '4000000000007726', '4000000000000259', '4000000000001976'];

const buyer = fc.nat(buyersCount - 1);
const laptop = fc.nat(laptopsCount - 1);
const ofDeal = (act: (buyer: number, laptop: number) => actions.Action) =>
  fc.tuple(buyer, laptop).map(([who, what]) => act(who, what));
const card = fc.oneof(
  { weight: 6, arbitrary: fc.constant(goodCard) },
  { weight: 1, arbitrary: fc.constantFrom(declinedCard, askingCard) },
  { weight: 4, arbitrary: fc.constantFrom(...laterCards) },
);
const cardCall = fc.constantFrom(...faults.cardCalls);

/** All actions and events, weighted towards those that lead to a sale. */
const act: fc.Arbitrary<actions.Action> = fc.oneof(
  { weight: 8, arbitrary: ofDeal(actions.books) },
  { weight: 12, arbitrary: ofDeal(actions.prepares) },
  { weight: 12, arbitrary: fc.tuple(buyer, laptop, card).map((paying) => actions.pays(...paying)) },
  { weight: 8, arbitrary: ofDeal(actions.reports) },
  {
    weight: 1,
    arbitrary: fc.tuple(buyer, buyer, laptop).map((reporting) => actions.reportsForeign(...reporting)),
  },
  { weight: 6, arbitrary: fc.tuple(laptop, fc.boolean()).map((hold) => actions.lapses(...hold)) },
  { weight: 3, arbitrary: ofDeal(actions.letsGo) },
  { weight: 1, arbitrary: laptop.map(actions.withdraws) },
  { weight: 1, arbitrary: laptop.map(actions.takesDown) },
  { weight: 1, arbitrary: buyer.map(actions.endsBuyer) },
  { weight: 1, arbitrary: fc.constant(actions.endsSeller()) },
  { weight: 2, arbitrary: fc.constant(faults.eventsStop()) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(faults.eventsComeTimes) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('created' as const, 'reversed' as const), fc.integer({ min: 1, max: 2 }))
      .map((events) => faults.heldEventsCome(...events)),
  },
  { weight: 2, arbitrary: ofDeal(faults.oldEventsComeAgain) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        cardCall,
        fc.constantFrom('before' as const, 'during' as const, 'after' as const),
        fc.constantFrom(1, 3),
      )
      .map((loss) => faults.answersGetLost(...loss)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(cardCall, fc.constant(3)).map((fail) => faults.callsFail(...fail)),
  },
  { weight: 2, arbitrary: fc.constant(faults.reconciles()) },
  { weight: 2, arbitrary: fc.constant(faults.bankActs()) },
  { weight: 1, arbitrary: fc.constant(faults.disputesAreWon()) },
  { weight: 1, arbitrary: fc.constant(faults.inquiriesEscalate()) },
  { weight: 2, arbitrary: fc.constant(actions.refundsAgain()) },
);

/** Runs one action. */
function single(action: actions.Action): fc.AsyncCommand<Model, World> {
  return {
    check: (model) => action.possible(model),
    run: (model, world) => {
      model.actions += 1;
      return action.run(model, world);
    },
    toString: () => action.name,
  };
}

/** Runs several actions concurrently, without the impossible ones. */
function concurrently(several: actions.Action[]): fc.AsyncCommand<Model, World> {
  return {
    check: (model) => several.some((one) => one.possible(model)),
    run: async (model, world) => {
      const possible = several.filter((one) => one.possible(model));
      model.actions += possible.length;
      const outcomes = await Promise.allSettled(possible.map((one) => one.run(model, world)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
    toString: () => `at once: ${several.map(({ name }) => name).join('; ')}`,
  };
}

const chargedCard = fc.constantFrom(goodCard, ...laterCards);

/** A buyer's steps to a charged card, which random actions seldom reach. */
const paymentSteps = fc
  .tuple(buyer, laptop, chargedCard)
  .map(([who, what, number]) => [
    actions.books(who, what),
    actions.lapses(what, false),
    actions.prepares(who, what),
    actions.pays(who, what, number),
  ]);

/**
 * All buyers open the card form of one laptop, charge their cards concurrently, and report concurrently.
 * @param cards one card number per buyer
 */
function rush(what: number, cards: string[]): fc.AsyncCommand<Model, World> {
  const buyers = Array.from({ length: buyersCount }, (_, who) => who);
  const atOnce = (act: (who: number) => actions.Action) => concurrently(buyers.map(act));
  return {
    check: () => true,
    run: async (model, world) => {
      for (const who of buyers) {
        const steps = [actions.books(who, what), actions.lapses(what, false), actions.prepares(who, what)];
        await sequentially(steps).run(model, world);
      }
      await atOnce((who) => actions.pays(who, what, cards[who] ?? goodCard)).run(model, world);
      await atOnce((who) => actions.reports(who, what)).run(model, world);
    },
    toString: () =>
      `all buyers pay for laptop ${what} at once with ${cards.map((card) => card.slice(-4)).join(', ')}`,
  };
}

function sequentially(steps: actions.Action[]): fc.AsyncCommand<Model, World> {
  return {
    check: () => true,
    run: async (model, world) => {
      for (const step of steps) {
        if (!step.possible(model)) continue;
        model.actions += 1;
        await step.run(model, world);
      }
    },
    toString: () => `in turn: ${steps.map(({ name }) => name).join('; ')}`,
  };
}

/** Generates the commands of a run. @param replayPath the replay path that a failure has printed */
export function runs(replayPath: string | undefined) {
  return fc.commands(
    [
      act.map(single),
      act.map(single),
      fc.array(act, { minLength: 2, maxLength: 5 }).map(concurrently),
      paymentSteps.map(sequentially),
      fc
        .tuple(laptop, fc.array(chargedCard, { minLength: buyersCount, maxLength: buyersCount }))
        .map((rushing) => rush(...rushing)),
    ],
    { size: '+1', maxCommands: 30, ...(replayPath !== undefined && { replayPath }) },
  );
}
