import * as z from 'zod/mini';
import { formatUtcDay } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { linesOf } from '../addresses/rules.ts';
import { findSender } from '../addresses/steps.ts';
import { type OrderedLaptop, takesReturnAddress } from '../orders/rules.ts';
import { findNotifiedOrder, type NotifiedOrder, orderText } from '../orders/steps.ts';
import { isUnderWay, troubleOf } from './label-rules.ts';
import { formerAddressOf, labelOfLatestParcel } from './label-store.ts';
import {
  type ParcelTrouble,
  parcelTroubles,
  parcelTroubleTexts,
  people,
  shippingReminders,
} from './notification-texts.ts';

// The notifications about moves are those of orders.

/** The notifications about a parcel to those people for whom there is a sentence, with the day on which its state ends by itself. */
function noticesTo(
  about: NotifiedOrder,
  title: string,
  sentences: Partial<Record<(typeof people)[number], string>>,
  address: string | null = null,
) {
  const { due_at } = about.order;
  const until: [string, string][] = due_at === null ? [] : [['Until', formatUtcDay(due_at)]];
  return people.map((person) => {
    const sentence = sentences[person];
    // Facts are emailed and not stored, so the address is erased as the order's. The seller does not need it.
    const facts: [string, string][] =
      address === null || person === 'seller' ? until : [['It goes to', address], ...until];
    return sentence === undefined ? null : about.to(person, orderText(about, title, [sentence], facts));
  });
}

/** A parcel is not sent or has not arrived shortly before its deadline. People are reminded, unless that has happened since. */
export const parcelIsLate = notification(
  'shipping.parcel-is-late',
  z.object({ orderId: z.string(), state: z.enum(['to_ship', 'shipped']) }),
  async ({ database }, { orderId, state }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found?.order.state !== state) return null;
    const { laptop } = found;
    const title = state === 'to_ship' ? `Please send ${laptop}` : `Where is the parcel with ${laptop}?`;
    return noticesTo(found, title, shippingReminders[state]);
  },
);

/** The buyer corrected the address of an order, which is on its page only. The seller is told, unless the laptop was sent since. */
export const addressChanged = notification(
  'shipping.address-changed',
  z.object({ orderId: z.string() }),
  async ({ database }, { orderId }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found?.order.state !== 'to_ship') return null;
    const text = orderText(found, `A new address for ${found.laptop}`, [
      'The buyer has corrected the address. Please send the laptop to the one that is on the order now. A label that the shop bought for the former one is given back: please do not use it, because a parcel with it does not count as delivered.',
    ]);
    return found.to('seller', text);
  },
);

/** Whether a trouble has ended: the parcel has moved on, arrived or been sent again, or its order has gone on without it. */
async function hasEnded(reader: Reader, order: OrderedLaptop, trouble: ParcelTrouble): Promise<boolean> {
  switch (trouble) {
    case 'return_to_sender':
    case 'failure':
    case 'available_for_pickup':
    case 'return_failure': {
      const way = trouble === 'return_failure' ? 'back' : 'out';
      const label = await labelOfLatestParcel(reader, order.id, way);
      return !isUnderWay(order, way) || !label || troubleOf(way, label.tracking) !== trouble;
    }
    case 'former_address':
      return (await formerAddressOf(reader, order.id)) === null;
    case 'return_address':
      return !takesReturnAddress(order);
    default:
      return false;
  }
}

/** The address that people are told of a trouble, on one line; null for none. */
async function toldAddress(reader: Reader, orderId: string, trouble: ParcelTrouble): Promise<string | null> {
  if (trouble === 'former_address') return formerAddressOf(reader, orderId);
  const sender = trouble === 'return_address' ? await findSender(reader, orderId) : null;
  return sender && linesOf(sender).join(', ');
}

/** A carrier reports something that people should know. They are told, unless that has ended since. */
export const parcelInTrouble = notification(
  'shipping.parcel-in-trouble',
  z.object({ orderId: z.string(), trouble: z.enum(parcelTroubles) }),
  async ({ database }, { orderId, trouble }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found === null || (await hasEnded(database, found.order, trouble))) return null;
    return noticesTo(
      found,
      `${parcelTroubleTexts[trouble].title}: ${found.laptop}`,
      parcelTroubleTexts[trouble],
      await toldAddress(database, orderId, trouble),
    );
  },
);

export const all = [parcelIsLate, addressChanged, parcelInTrouble];
