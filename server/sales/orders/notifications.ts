import * as z from 'zod/mini';
import {
  type OrderMove,
  openComplaintStates,
  orderMoveNames,
  orderMoves,
} from '#contract/money/order-states.ts';
import { isMeasurementNeeded } from '#server/listings/catalogue/steps.ts';
import { formatUtcDay, type NotificationText } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { moveSentences, moveTitles, type Sentences } from './notification-texts.ts';
import { findNotifiedOrder, type NotifiedOrder, orderText } from './notified-order.ts';
import { isWithCarrier, responsibleParty } from './rules.ts';
import { timelinesOf } from './store.ts';

type OrderNotificationDependencies = Pick<Context, 'shop'> & NotificationDependencies;

/** Whether a move of an order is its last one. */
async function isLastMove(reader: Reader, orderId: string, move: OrderMove): Promise<boolean> {
  const timeline = (await timelinesOf(reader, [orderId])).get(orderId) ?? [];
  return timeline.findLast(({ event }) => event in orderMoves)?.event === move;
}

/** The notification to the seller of a sale that has ended. @param moved says what has happened */
async function endedText(
  reader: Reader,
  found: NotifiedOrder,
  move: OrderMove,
  moved = 'The buyer gets the whole price back.',
): Promise<NotificationText> {
  const { order, laptop } = found;
  if (isWithCarrier(order, move)) {
    return orderText(found, `${moveTitles[move]}: ${laptop}`, [
      moved,
      'The sale has ended. When you have the laptop back, look at it: you can sell it again on My Products.',
    ]);
  }
  // The notification in the shop has the first paragraph only.
  const paragraphs = (await isMeasurementNeeded(reader, order.laptop_id))
    ? ([
        `${moved} Measure the laptop again before you sell it again.`,
        'The sale has ended, and the laptop is yours again. It is not listed. Its buyer found it not working or not as described, so what was measured and inspected before does not count any more, and a certificate of it is revoked. Put right what is wrong, and measure it again on My Products, under Deleted and returned laptops. Then you can sell it again, and we inspect it anew. Everything else about it is kept.',
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
    const write = (person: 'buyer' | 'seller') => {
      const sentence = sentences[person];
      if (sentence === undefined) return null;
      const deadline = open !== undefined && responsibleParty[open] === person ? due_at : null;
      const payment =
        person === 'seller' && isPaidLater && due_at !== null
          ? [`It is paid to you after ${formatUtcDay(due_at)}, when the time for complaints is over.`]
          : [];
      const until: [string, string][] = deadline === null ? [] : [['Until', formatUtcDay(deadline)]];
      const title = `${moveTitles[move]}: ${found.laptop}`;
      return found.to(person, orderText(found, title, [sentence, ...payment], until));
    };
    // Of an order that has ended since, another notification says that.
    const isEnd = !stands && (await isLastMove(database, orderId, move));
    return [
      write('buyer'),
      isEnd ? found.to('seller', await endedText(database, found, move, sentences.seller)) : write('seller'),
    ];
  },
);
