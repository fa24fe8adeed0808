import type { LateParcel } from '#contract/sales/shipping.ts';
import { formatUtcDay, type Notice } from '#server/people/notifications/rules.ts';

interface ParcelContext {
  orderId: string;
  /** The laptop's name, made safe for emails. */
  laptop: string;
  dueAt: Date | null;
}

const action = ({ orderId }: ParcelContext): Notice['action'] => ({
  label: 'See the order',
  path: `/dashboard/order/${orderId}`,
});

const reminders: Record<LateParcel['state'], Partial<Record<'buyer' | 'seller', string>>> = {
  to_ship: {
    seller:
      'Please hand the laptop to a carrier and enter the tracking number on the order. Otherwise the sale ends, and the buyer gets the whole price back.',
  },
  shipped: {
    buyer:
      'Has your parcel arrived? Then please say so on the order, and look at the laptop. If it has not arrived by then, you get the whole price back.',
    seller:
      'The buyer has not said that the parcel arrived. If the carrier reports it as delivered, please say so on the order, with the proof. Otherwise it counts as lost, and the buyer gets the whole price back.',
  },
};

/** The reminder about a parcel that is late; null for a person who gets none. */
export function parcelLateNotice(
  about: ParcelContext,
  state: LateParcel['state'],
  tell: 'buyer' | 'seller',
): Notice | null {
  const sentence = reminders[state][tell];
  if (sentence === undefined) return null;
  return {
    topic: 'money',
    title: state === 'to_ship' ? `Please send ${about.laptop}` : `Where is the parcel with ${about.laptop}?`,
    paragraphs: [sentence],
    facts: [
      ['Laptop', about.laptop],
      ...(about.dueAt === null ? [] : [['Until', formatUtcDay(about.dueAt)] satisfies [string, string]]),
    ],
    action: action(about),
  };
}

/** The notice to the seller that the buyer corrected the address. The address itself is on the order only. */
export const addressChangedNotice = (about: ParcelContext): Notice => ({
  topic: 'money',
  title: `A new address for ${about.laptop}`,
  paragraphs: [
    'The buyer has corrected the address. Please send the laptop to the one that is on the order now.',
  ],
  facts: [['Laptop', about.laptop]],
  action: action(about),
});
