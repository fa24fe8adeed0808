import fc from 'fast-check';
import * as actions from './actions.ts';
import * as faults from './faults.ts';
import * as orders from './order-actions.ts';
import * as prices from './price-actions.ts';
import {
  buyersCount,
  laptopsCount,
  type Model,
  price,
  requireBalancedBooks,
  shippedLaptop,
  type World,
} from './world.ts';

const goodCard = '4242424242424242';
const declinedCard = '4000000000000002';
const authenticationCard = '4000002760003184';
/** Cards whose charge succeeds; later a refund fails or stays pending, or the charge is disputed. */
const delayedOutcomeCards = ['4000000000005126', '4000000000007726', '4000000000000259', '4000000000001976'];

const buyer = fc.nat(buyersCount - 1);
const laptop = fc.nat(laptopsCount - 1);
const withBuyerAndLaptop = (createAction: (buyer: number, laptop: number) => actions.Action) =>
  fc.tuple(buyer, laptop).map((indexes) => createAction(...indexes));
const card = fc.oneof(
  { weight: 6, arbitrary: fc.constant(goodCard) },
  { weight: 1, arbitrary: fc.constantFrom(declinedCard, authenticationCard) },
  { weight: 4, arbitrary: fc.constantFrom(...delayedOutcomeCards) },
);
const cardCall = fc.constantFrom(...faults.cardCalls);
const adminRefund = fc
  .tuple(fc.constantFrom(0.1, 0.5, 1), fc.constantFrom('seller' as const, 'shop' as const))
  .map(
    ([share, from]) =>
      (index: number) =>
        orders.refundByAdmin(index, share, from),
  );

/** All actions and events, weighted towards those that lead to a sale. */
const anyAction: fc.Arbitrary<actions.Action> = fc.oneof(
  { weight: 8, arbitrary: withBuyerAndLaptop(actions.bookLaptop) },
  { weight: 12, arbitrary: withBuyerAndLaptop(actions.preparePayment) },
  { weight: 12, arbitrary: fc.tuple(buyer, laptop, card).map((paying) => actions.payByCard(...paying)) },
  { weight: 8, arbitrary: withBuyerAndLaptop(actions.reportPayment) },
  {
    weight: 1,
    arbitrary: fc.tuple(buyer, buyer, laptop).map((reporting) => actions.reportForeignPayment(...reporting)),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(laptop, fc.boolean())
      .map((parameters) => actions.expirePaymentWindowOfLaptop(...parameters)),
  },
  { weight: 3, arbitrary: withBuyerAndLaptop(actions.closePaymentWindowOfLaptop) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(laptop, fc.constantFrom(499.99, price, 600))
      .map((change) => prices.changePrice(...change)),
  },
  { weight: 3, arbitrary: withBuyerAndLaptop(prices.agreeToNewPrice) },
  { weight: 2, arbitrary: withBuyerAndLaptop(prices.cancelOwnBooking) },
  { weight: 1, arbitrary: laptop.map(actions.withdrawLaptop) },
  { weight: 1, arbitrary: laptop.map(actions.takeDownByAdmin) },
  { weight: 1, arbitrary: buyer.map(actions.deleteBuyerAccount) },
  { weight: 1, arbitrary: fc.constant(actions.deleteSellerAccount()) },
  { weight: 2, arbitrary: fc.constant(faults.holdEvents()) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(faults.deliverEventsRepeatedly) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('created' as const, 'reversed' as const), fc.integer({ min: 1, max: 2 }))
      .map((events) => faults.deliverHeldEvents(...events)),
  },
  { weight: 2, arbitrary: withBuyerAndLaptop(faults.redeliverEvents) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        cardCall,
        fc.constantFrom('before' as const, 'during' as const, 'after' as const),
        fc.constantFrom(1, 3),
      )
      .map((loss) => faults.dropResponses(...loss)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(cardCall, fc.constant(3)).map((fail) => faults.failCalls(...fail)),
  },
  { weight: 2, arbitrary: fc.constant(faults.reconcileAnHourLater()) },
  { weight: 2, arbitrary: fc.constant(faults.completeDelayedOutcomes()) },
  { weight: 2, arbitrary: fc.constant(faults.settleAllFunds()) },
  { weight: 1, arbitrary: fc.constant(faults.sweepToTheBank()) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(buyer, laptop, fc.constantFrom(0.1, 1))
      .map((refund) => faults.refundInDashboard(...refund)),
  },
  { weight: 1, arbitrary: fc.constant(faults.winAllDisputes()) },
  { weight: 1, arbitrary: fc.constant(faults.escalateAllInquiries()) },
  { weight: 2, arbitrary: fc.constant(actions.retryFailedRefunds()) },
  { weight: 6, arbitrary: laptop.map(orders.confirmReceipt) },
  { weight: 1, arbitrary: withBuyerAndLaptop(orders.confirmForeignOrder) },
  {
    weight: 5,
    arbitrary: fc.tuple(laptop, fc.boolean()).map((handover) => orders.handLaptopOver(...handover)),
  },
  { weight: 6, arbitrary: fc.constant(orders.sendParcel()) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(null, null, 'lost_answer' as const, 'declined' as const)
      .map(orders.buyParcelLabel),
  },
  { weight: 1, arbitrary: fc.constant(orders.voidParcelLabels()) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(
        ...(['in_transit', 'delivered', 'return_to_sender', 'failure', 'pre_transit'] as const),
        ...(['refunded', 'rejected'] as const),
      )
      .map(orders.reportOfCarrier),
  },
  { weight: 4, arbitrary: fc.constant(orders.receiveSentParcel()) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('prove_delivery' as const, 'take_back' as const, 'send_again' as const)
      .map(orders.reportOfParcel),
  },
  { weight: 3, arbitrary: laptop.map(orders.cancelBySeller) },
  { weight: 2, arbitrary: laptop.map(orders.leaveLaptop) },
  {
    weight: 3,
    arbitrary: fc.tuple(buyer, laptop, fc.constantFrom(2, 16)).map((meeting) => orders.meet(...meeting)),
  },
  { weight: 3, arbitrary: fc.constantFrom(8, 22).map(orders.passDays) },
  { weight: 8, arbitrary: fc.constantFrom(0, 3, 30, 25 * 60).map(orders.runTransfers) },
  { weight: 3, arbitrary: fc.constantFrom(0.5, 1).map(orders.paySellerByHand) },
  { weight: 2, arbitrary: fc.constant(orders.payOutAccounts()) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('active' as const, 'restricted' as const).map(orders.changeCapability),
  },
  { weight: 2, arbitrary: fc.constant(orders.loseAllDisputes()) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(laptop, fc.constantFrom('chargeback' as const, 'inquiry' as const))
      .map((dispute) => orders.disputeSale(...dispute)),
  },
  { weight: 2, arbitrary: fc.constant(orders.reinstateDisputes()) },
  { weight: 3, arbitrary: laptop.map(orders.refundWithoutReturn) },
  { weight: 4, arbitrary: fc.tuple(laptop, adminRefund).map(([index, refund]) => refund(index)) },
  { weight: 2, arbitrary: fc.constant(orders.payOwedRefunds()) },
);

/** Returns a command that runs one action. */
function toCommand(action: actions.Action): fc.AsyncCommand<Model, World> {
  return {
    check: (model) => action.isPossible(model),
    run: async (model, world) => {
      model.actions += 1;
      await action.run(model, world);
      await requireBalancedBooks(world);
    },
    toString: () => action.name,
  };
}

/** Returns a command that runs the possible ones of several actions concurrently. */
function concurrently(candidates: actions.Action[]): fc.AsyncCommand<Model, World> {
  return {
    check: (model) => candidates.some((one) => one.isPossible(model)),
    run: async (model, world) => {
      const possibleActions = candidates.filter((one) => one.isPossible(model));
      model.actions += possibleActions.length;
      const outcomes = await Promise.allSettled(possibleActions.map((one) => one.run(model, world)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      await requireBalancedBooks(world);
    },
    toString: () => `concurrently: ${candidates.map(({ name }) => name).join('; ')}`,
  };
}

const chargedCard = fc.constantFrom(goodCard, ...delayedOutcomeCards);

/** The steps of one buyer to a charged card. Random actions seldom complete them. */
const paymentSteps = fc
  .tuple(buyer, laptop, chargedCard)
  .map(([buyerIndex, laptopIndex, number]) => [
    actions.bookLaptop(buyerIndex, laptopIndex),
    actions.expirePaymentWindowOfLaptop(laptopIndex, false),
    actions.preparePayment(buyerIndex, laptopIndex),
    actions.payByCard(buyerIndex, laptopIndex, number),
  ]);

/** The steps of a sale that ends before the hand-over, after which its laptop is sold again to the same buyer. */
const endedSaleSteps = fc
  .tuple(buyer, laptop, chargedCard, fc.constantFrom('cancelled', 'not taken', 'charged back'), fc.boolean())
  .map(([buyerIndex, laptopIndex, number, end, isMet]) => {
    const sale = [
      actions.bookLaptop(buyerIndex, laptopIndex),
      actions.expirePaymentWindowOfLaptop(laptopIndex, false),
      actions.preparePayment(buyerIndex, laptopIndex),
    ];
    const pay = (card: string) => [
      actions.payByCard(buyerIndex, laptopIndex, card),
      actions.reportPayment(buyerIndex, laptopIndex),
    ];
    const ends = {
      cancelled: [orders.cancelBySeller(laptopIndex)],
      'not taken': [orders.leaveLaptop(laptopIndex)],
      'charged back': [faults.completeDelayedOutcomes(), orders.loseAllDisputes()],
    };
    return [
      ...sale,
      ...pay(end === 'charged back' ? '4000000000000259' : number),
      ...(isMet ? [orders.meet(buyerIndex, laptopIndex, 16)] : []),
      ...ends[end],
      prices.sellAgain(laptopIndex),
      ...sale,
      ...pay(goodCard),
    ];
  });

/** The steps of a sale to its transfer, and perhaps to its reversal. */
const payoutSteps = fc
  .tuple(buyer, laptop, chargedCard, fc.boolean(), fc.boolean(), fc.boolean())
  .map(([buyerIndex, laptopIndex, number, isHandedOver, isSettled, isRefunded]) => [
    actions.bookLaptop(buyerIndex, laptopIndex),
    actions.expirePaymentWindowOfLaptop(laptopIndex, false),
    actions.preparePayment(buyerIndex, laptopIndex),
    actions.payByCard(buyerIndex, laptopIndex, number),
    actions.reportPayment(buyerIndex, laptopIndex),
    isHandedOver ? orders.handLaptopOver(laptopIndex, true) : orders.confirmReceipt(laptopIndex),
    orders.runTransfers(0),
    // A transfer can be reversed once its money is available to the seller.
    ...(isSettled ? [faults.settleAllFunds()] : []),
    ...(isRefunded ? [orders.refundWithoutReturn(laptopIndex), orders.runTransfers(0)] : []),
  ]);

/** The steps of a sale by parcel with a label of the shop: it is bought, given back or scanned, and the order moves or ends. */
const labelSteps = fc
  .tuple(
    buyer,
    fc.constantFrom(null, 'lost_answer' as const),
    fc.constantFrom('in_transit' as const, 'delivered' as const, 'failure' as const, 'refunded' as const),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([buyerIndex, fault, status, isGivenBack, isCancelled]) => [
    actions.bookLaptop(buyerIndex, shippedLaptop),
    actions.expirePaymentWindowOfLaptop(shippedLaptop, false),
    actions.preparePayment(buyerIndex, shippedLaptop),
    actions.payByCard(buyerIndex, shippedLaptop, goodCard),
    actions.reportPayment(buyerIndex, shippedLaptop),
    orders.buyParcelLabel(fault),
    ...(isGivenBack ? [orders.voidParcelLabels()] : []),
    ...(isCancelled ? [orders.cancelBySeller(shippedLaptop)] : []),
    orders.waitForLabels(),
    orders.reportOfCarrier(status),
    orders.passDays(22),
    orders.runTransfers(0),
  ]);

/** The steps of a sale, perhaps by a parcel with a label of the shop, of which money goes back after its release. */
const refundedSaleSteps = fc
  .tuple(
    fc.tuple(buyer, laptop, chargedCard),
    fc.constantFrom('released', 'paid out', 'completed'),
    fc.boolean(),
    fc.array(adminRefund, { maxLength: 3 }),
    fc.constantFrom('complaint', 'failed', 'disputed', 'lost', 'reinstated'),
  )
  .map(([[buyerIndex, laptopIndex, number], moment, isSettled, refunds, end]) => {
    const parcel = [orders.buyParcelLabel(null), orders.waitForLabels(), orders.reportOfCarrier('delivered')];
    const dispute = [orders.disputeSale(laptopIndex, 'chargeback'), orders.runTransfers(0)];
    const lose = [...dispute, orders.loseAllDisputes(), orders.runTransfers(0)];
    const ends = {
      complaint: [orders.refundWithoutReturn(laptopIndex)],
      failed: [faults.completeDelayedOutcomes(), orders.payOwedRefunds()],
      disputed: [...dispute, faults.winAllDisputes()],
      lost: lose,
      reinstated: [...lose, orders.reinstateDisputes()],
    };
    return [
      actions.bookLaptop(buyerIndex, laptopIndex),
      actions.expirePaymentWindowOfLaptop(laptopIndex, false),
      actions.preparePayment(buyerIndex, laptopIndex),
      actions.payByCard(buyerIndex, laptopIndex, number),
      actions.reportPayment(buyerIndex, laptopIndex),
      ...(laptopIndex === shippedLaptop ? parcel : []),
      orders.confirmReceipt(laptopIndex),
      ...(moment === 'released' ? [] : [orders.runTransfers(0)]),
      ...(moment === 'completed' ? [orders.passDays(22)] : []),
      ...(isSettled ? [faults.settleAllFunds()] : []),
      ...refunds.map((refund) => refund(laptopIndex)),
      ...ends[end],
      ...refunds.slice(1).map((refund) => refund(laptopIndex)),
      orders.runTransfers(0),
    ];
  });

/**
 * Returns a command in which all buyers open the card form of one laptop, pay concurrently, and report concurrently.
 * @param cards one card number per buyer
 */
function payConcurrently(laptopIndex: number, cards: string[]): fc.AsyncCommand<Model, World> {
  const buyers = Array.from({ length: buyersCount }, (_, index) => index);
  const forAllBuyers = (createAction: (buyerIndex: number) => actions.Action) =>
    concurrently(buyers.map(createAction));
  return {
    check: () => true,
    run: async (model, world) => {
      for (const buyerIndex of buyers) {
        const steps = [
          actions.bookLaptop(buyerIndex, laptopIndex),
          actions.expirePaymentWindowOfLaptop(laptopIndex, false),
          actions.preparePayment(buyerIndex, laptopIndex),
        ];
        await sequentially(steps).run(model, world);
      }
      await forAllBuyers((buyerIndex) =>
        actions.payByCard(buyerIndex, laptopIndex, cards[buyerIndex] ?? goodCard),
      ).run(model, world);
      await forAllBuyers((buyerIndex) => actions.reportPayment(buyerIndex, laptopIndex)).run(model, world);
    },
    toString: () =>
      `all buyers pay for laptop ${laptopIndex} concurrently with ${cards.map((card) => card.slice(-4)).join(', ')}`,
  };
}

/** Returns a command that runs the possible ones of several actions in order. */
function sequentially(steps: actions.Action[]): fc.AsyncCommand<Model, World> {
  return {
    check: () => true,
    run: async (model, world) => {
      for (const step of steps) {
        if (!step.isPossible(model)) continue;
        model.actions += 1;
        await step.run(model, world);
        await requireBalancedBooks(world);
      }
    },
    toString: () => `in sequence: ${steps.map(({ name }) => name).join('; ')}`,
  };
}

/** Generates the commands of a run. @param replayPath the replay path that a failure has printed */
export function generateRuns(replayPath: string | undefined) {
  return fc.commands(
    [
      anyAction.map(toCommand),
      anyAction.map(toCommand),
      laptop.map(prices.sellAgain).map(toCommand),
      fc.array(anyAction, { minLength: 2, maxLength: 5 }).map(concurrently),
      paymentSteps.map(sequentially),
      payoutSteps.map(sequentially),
      endedSaleSteps.map(sequentially),
      labelSteps.map(sequentially),
      refundedSaleSteps.map(sequentially),
      fc
        .tuple(laptop, fc.array(chargedCard, { minLength: buyersCount, maxLength: buyersCount }))
        .map((parameters) => payConcurrently(...parameters)),
    ],
    { size: '+1', maxCommands: 30, ...(replayPath !== undefined && { replayPath }) },
  );
}
