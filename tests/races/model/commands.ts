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

/** Anything that anybody can do, or that can happen; what brings a sale about more often than what prevents it. */
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

/** One thing at a time. */
function alone(single: actions.Action): fc.AsyncCommand<Model, World> {
  return {
    check: (model) => single.possible(model),
    run: (model, world) => {
      model.actions += 1;
      return single.run(model, world);
    },
    toString: () => single.name,
  };
}

/** Several at the same moment; what of them is not possible is left out. */
function together(several: actions.Action[]): fc.AsyncCommand<Model, World> {
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

/** A buyer's whole way to a charged card: without it, random acts seldom come that far. */
const goesToPay = fc
  .tuple(buyer, laptop, chargedCard)
  .map(([who, what, number]) => [
    actions.books(who, what),
    actions.lapses(what, false),
    actions.prepares(who, what),
    actions.pays(who, what, number),
  ]);

/**
 * All buyers have the card form of one laptop open, charge their cards at once, and report at once.
 * @param cards of each of them
 */
function rush(what: number, cards: string[]): fc.AsyncCommand<Model, World> {
  const buyers = Array.from({ length: buyersCount }, (_, who) => who);
  const atOnce = (act: (who: number) => actions.Action) => together(buyers.map(act));
  return {
    check: () => true,
    run: async (model, world) => {
      for (const who of buyers) {
        const steps = [actions.books(who, what), actions.lapses(what, false), actions.prepares(who, what)];
        await inTurn(steps).run(model, world);
      }
      await atOnce((who) => actions.pays(who, what, cards[who] ?? goodCard)).run(model, world);
      await atOnce((who) => actions.reports(who, what)).run(model, world);
    },
    toString: () =>
      `all buyers pay for laptop ${what} at once with ${cards.map((card) => card.slice(-4)).join(', ')}`,
  };
}

function inTurn(steps: actions.Action[]): fc.AsyncCommand<Model, World> {
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

/** The commands of one run, shrunk to the fewest that still fail. @param replayPath as a failure printed it */
export function runs(replayPath: string | undefined) {
  return fc.commands(
    [
      act.map(alone),
      act.map(alone),
      fc.array(act, { minLength: 2, maxLength: 5 }).map(together),
      goesToPay.map(inTurn),
      fc
        .tuple(laptop, fc.array(chargedCard, { minLength: buyersCount, maxLength: buyersCount }))
        .map((rushing) => rush(...rushing)),
    ],
    { size: '+1', maxCommands: 30, ...(replayPath !== undefined && { replayPath }) },
  );
}
