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

/** The laptop, and the day on which the state of its parcel ends by itself. */
const facts = ({ laptop, dueAt }: ParcelContext): [string, string][] => [
  ['Laptop', laptop],
  ...(dueAt === null ? [] : [['Until', formatUtcDay(dueAt)] satisfies [string, string]]),
];

const reminders: Record<LateParcel['state'], Partial<Record<'buyer' | 'seller', string>>> = {
  to_ship: {
    seller:
      'Please hand the laptop to a carrier, and enter the tracking number on the order if the label is your own. If it is not sent by then, the sale ends, and the buyer gets the whole price back.',
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
    facts: facts(about),
    action: action(about),
  };
}

/** The notice to the seller that the buyer corrected the address. The address itself is on the order only. */
export const addressChangedNotice = (about: ParcelContext): Notice => ({
  topic: 'money',
  title: `A new address for ${about.laptop}`,
  paragraphs: [
    'The buyer has corrected the address. Please send the laptop to the one that is on the order now. A label that the shop bought for the former one is given back.',
  ],
  facts: [['Laptop', about.laptop]],
  action: action(about),
});

const troubles = {
  return_to_sender: {
    title: 'The carrier returns the parcel',
    buyer:
      'The carrier could not deliver your parcel and returns it to the seller, who sends it again or gives you the whole price back. Please look at the address on the order.',
    seller:
      'The carrier could not deliver the parcel and returns it to you. When you have it, say on the order whether you send it again or give the price back.',
  },
  failure: {
    title: 'The carrier cannot deliver the parcel',
    buyer:
      'The carrier cannot deliver your parcel, or has lost it. If it does not arrive by the day on the order, you get the whole price back.',
    seller:
      'The carrier cannot deliver the parcel, or has lost it. If it does not arrive by the day on the order, the buyer gets the whole price back. The shop then claims the insurance of its label; what that pays is yours.',
  },
} as const;

/** What a carrier reports that both people should know. */
export type ParcelTrouble = keyof typeof troubles;
export const parcelTroubles = ['return_to_sender', 'failure'] as const satisfies readonly ParcelTrouble[];

/** The notice that a carrier returns or has lost a parcel. */
export const parcelTroubleNotice = (
  about: ParcelContext,
  trouble: ParcelTrouble,
  tell: 'buyer' | 'seller',
): Notice => ({
  topic: 'money',
  title: `${troubles[trouble].title}: ${about.laptop}`,
  paragraphs: [troubles[trouble][tell]],
  facts: facts(about),
  action: action(about),
});
