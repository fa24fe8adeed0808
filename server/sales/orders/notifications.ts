import * as z from 'zod/mini';
import {
  type OrderMove,
  openComplaintStates,
  orderMoveNames,
  orderMoves,
} from '#contract/money/order-states.ts';
import type { ComplaintKind } from '#contract/sales/complaints.ts';
import { isMeasurementNeeded } from '#server/listings/catalogue/steps.ts';
import { formatUtcDay, type NotificationText } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { moveSentences, moveTitles, type Sentences } from './notification-texts.ts';
import { findNotifiedOrder, type NotifiedOrder, orderText } from './notified-order.ts';
import { isReturnLost } from './open-insurance-claims.ts';
import { isReturnUnaddressed } from './return-address.ts';
import { isWithCarrier, type OrderedLaptop, responsibleParty } from './rules.ts';
import { lastComplaintKind, timelinesOf } from './store.ts';

type OrderNotificationDependencies = Pick<Context, 'shop'> & NotificationDependencies;

/** Whether a move of an order is its last one. */
async function isLastMove(reader: Reader, orderId: string, move: OrderMove): Promise<boolean> {
  const timeline = (await timelinesOf(reader, [orderId])).get(orderId) ?? [];
  return timeline.findLast(({ event }) => event in orderMoves)?.event === move;
}

/** What a buyer who complained of a laptop's condition says of it. */
const foundSentences: Partial<Record<ComplaintKind, string>> = {
  not_as_described: 'found it not as described',
  locked: 'found it locked',
  does_not_work: 'found it not working',
  damaged: 'says that it arrived damaged',
  not_taken: 'looked at it and did not take it',
};

/** Why a laptop of an ended sale must be measured, and what does not count any more, as far as there was anything. */
async function whyMeasured(reader: Reader, order: OrderedLaptop): Promise<string> {
  const kind = await lastComplaintKind(reader, order.id);
  // Without a complaint, the buyer told the bank.
  const found = (kind && foundSentences[kind]) ?? 'found it not as described';
  if (!order.is_measured) return `Its buyer ${found}, so it must be measured before it is sold again.`;
  const certificate = order.has_certificate ? ', and its certificate is revoked' : '';
  return `Its buyer ${found}, so what was measured and inspected before does not count any more${certificate}.`;
}

/** The notification to the seller of a sale that has ended. @param moved says what has happened */
async function endedText(
  reader: Reader,
  found: NotifiedOrder,
  move: OrderMove,
  moved = 'The buyer gets the whole price back.',
): Promise<NotificationText> {
  const { order, laptop } = found;
  const isToMeasure = await isMeasurementNeeded(reader, order.laptop_id);
  const isLost = move === 'assume_return' && (await isReturnLost(reader, order.id));
  if (isLost || isWithCarrier(order, move)) {
    const sellAgain = isToMeasure
      ? 'measure it on My Products, under Deleted and returned laptops. Then you can sell it again.'
      : 'look at it: you can sell it again on My Products.';
    return orderText(found, `${moveTitles[move]}: ${laptop}`, [
      moved,
      `The sale has ended. When you have the laptop back, ${sellAgain}`,
    ]);
  }
  // The notification in the shop has the first paragraph only.
  const paragraphs = isToMeasure
    ? ([
        `${moved} Measure the laptop before you sell it again.`,
        `The sale has ended, and the laptop is yours again. It is not listed. ${await whyMeasured(reader, order)} Put right what is wrong, and measure it on My Products, under Deleted and returned laptops. Then you can sell it again, and we inspect it. Everything else about it is kept.`,
      ] as const)
    : ([
        moved,
        'The sale has ended, and the laptop is yours as before. It is not listed: look at it, change what has changed, and sell it again on My Products.',
      ] as const);
  return {
    ...orderText(found, `${laptop} is yours again`, paragraphs),
    action: { label: 'See your products', path: '/dashboard/myProducts' },
  };
}

/** An admin ended the account of the seller of an order whose laptop is still to be handed over or sent. Its buyer is told. */
export const sellerEnded = notification(
  'orders.seller-ended',
  z.object({ orderId: z.string() }),
  async ({ database }: NotificationDependencies, { orderId }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found === null || found.order.due_at === null) return null;
    const { state, due_at } = found.order;
    if (state !== 'held' && state !== 'to_ship') return null;
    const day = formatUtcDay(due_at);
    const unless =
      state === 'held'
        ? `If you have the laptop and all is well, confirm it on the order; if something is wrong, complain there. Otherwise the whole price goes back to your card on ${day}.`
        : `If no carrier reports the parcel, the whole price goes back to your card on ${day}.`;
    const text = `The shop has ended the seller’s account. Your money is still with the shop. ${unless}`;
    return [found.to('buyer', orderText(found, `The seller has left: ${found.laptop}`, [text]))];
  },
);

/** What the seller of an order reads whose buyer's account has ended, before the day. */
const withoutBuyer = {
  held: 'Please do not hand the laptop over to anybody else. Without a complaint, the money is released to you on',
  to_ship:
    'If you do not want to send the laptop, cancel the sale on the order. If it is not sent, the sale ends and the whole price is refunded on',
  shipped:
    'The buyer cannot say any more that the parcel has arrived. If its carrier does not report that to the shop, prove the delivery on the order; otherwise the whole price is refunded on',
} as const;

/** An admin ended the account of the buyer of an order whose laptop has not arrived. Its seller is told. */
export const buyerOfOrderEnded = notification(
  'orders.buyer-ended',
  z.object({ orderId: z.string() }),
  async ({ database }: NotificationDependencies, { orderId }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found === null || found.order.due_at === null) return null;
    const { state, due_at } = found.order;
    if (state !== 'held' && state !== 'to_ship' && state !== 'shipped') return null;
    const text = `The shop has ended the buyer’s account. ${withoutBuyer[state]} ${formatUtcDay(due_at)}.`;
    return [found.to('seller', orderText(found, `The buyer has left: ${found.laptop}`, [text]))];
  },
);

/** What both read when a laptop must return and the shop does not know to where. @param day of the deadline */
const unaddressedTexts = (day: string): Required<Sentences> => ({
  buyer: `The seller has not entered on the order to which address the laptop returns. Please ask for it in Messages. If you neither return the laptop nor get an address by ${day}, the whole price goes back to your card.`,
  seller: `Please enter on the order to which address the laptop returns. Without an address there, the buyer gets the whole price back on ${day}, and need not return the laptop.`,
});

/** An order moved. Its buyer and its seller are told, as far as there is a sentence for them, and the seller of the end of the sale. */
export const orderMoved = notification(
  'orders.moved',
  z.object({ orderId: z.string(), move: z.enum(orderMoveNames) }),
  async ({ database, shop }: OrderNotificationDependencies, { orderId, move }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found === null) return null;
    const { state, due_at, released_at, state_since, stands } = found.order;
    // Of an order whose money was released before, both know that it is completed. One move sets both times.
    const isReleasedWith = released_at?.getTime() === state_since.getTime();
    const sentences: Sentences = move === 'complete' && !isReleasedWith ? {} : moveSentences()[move];
    const open = openComplaintStates.find((each) => each === state);
    const isPaidLater = state === 'released' && shop().payoutAfter === 'completed';
    const isUnaddressed = due_at !== null && (await isReturnUnaddressed(database, found.order));
    const unaddressed = isUnaddressed ? unaddressedTexts(formatUtcDay(due_at)) : null;
    const write = (person: 'buyer' | 'seller') => {
      const [sentence, ...more] = [sentences[person], unaddressed?.[person]].filter(
        (each) => each !== undefined,
      );
      if (sentence === undefined) return null;
      const deadline = open !== undefined && responsibleParty[open] === person ? due_at : null;
      const payment =
        person === 'seller' && isPaidLater && due_at !== null
          ? [`It is paid to you after ${formatUtcDay(due_at)}, when the time for complaints is over.`]
          : [];
      const until: [string, string][] = deadline === null ? [] : [['Until', formatUtcDay(deadline)]];
      const title = `${moveTitles[move]}: ${found.laptop}`;
      return found.to(person, orderText(found, title, [sentence, ...more, ...payment], until));
    };
    // Of an order that has ended since, another notification says that.
    const isEnd = !stands && (await isLastMove(database, orderId, move));
    return [
      write('buyer'),
      isEnd ? found.to('seller', await endedText(database, found, move, sentences.seller)) : write('seller'),
    ];
  },
);
