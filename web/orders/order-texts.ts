import type { OrderState, ParcelNews } from '#contract/money/order-states.ts';
import type { Order, OrderEvent } from '#contract/sales/orders.ts';

type Role = Order['role'];
type Tone = 'good' | 'warm' | 'bad' | 'neutral';
interface Label {
  label: string;
  tone: Tone;
}

/** A text for each reader; `others` is that of the readers who have none of their own. */
export type ReaderTexts = Record<Role, string> | (Partial<Record<Role, string>> & { others: string });

export const textFor = (texts: ReaderTexts, role: Role): string =>
  'others' in texts ? (texts[role] ?? texts.others) : texts[role];

/** The label of each state. */
const stateLabels: Record<OrderState, ReaderTexts & { tone: Tone }> = {
  held: { tone: 'good', admin: 'Money held', others: 'Held until the hand-over' },
  to_ship: { tone: 'good', admin: 'To be sent', buyer: 'The seller sends it', seller: 'You send it' },
  shipped: { tone: 'good', others: 'On its way' },
  delivered: { tone: 'good', admin: 'Delivered', buyer: 'You look at it', seller: 'The buyer looks at it' },
  complaint: { tone: 'bad', admin: 'Complaint', buyer: 'The seller answers', seller: 'You answer' },
  offered: { tone: 'warm', admin: 'Part offered', buyer: 'You answer', seller: 'The buyer answers' },
  contested: { tone: 'warm', others: 'The shop decides' },
  awaiting_return: {
    tone: 'warm',
    admin: 'Laptop to return',
    buyer: 'You return it',
    seller: 'The buyer returns it',
  },
  return_reported: {
    tone: 'warm',
    admin: 'Return to confirm',
    buyer: 'The seller confirms',
    seller: 'You confirm',
  },
  released: { tone: 'good', admin: 'Released', buyer: 'Yours', seller: 'The money is yours' },
  charge_disputed: {
    tone: 'bad',
    admin: 'Disputed at the bank',
    buyer: 'Your bank decides',
    seller: 'The bank decides',
  },
  completed: { tone: 'good', admin: 'Completed', others: 'Done' },
  refunded: { tone: 'neutral', buyer: 'Money back', others: 'Refunded' },
  charged_back: {
    tone: 'bad',
    admin: 'Charged back',
    buyer: 'Money back',
    seller: 'Taken back by the bank',
  },
};

/** An order as its texts need it. In lists less is known of its parcels. */
export type OrderInWords = Pick<Order, 'state' | 'role' | 'news'> &
  Partial<Pick<Order, 'parcels' | 'laptopWithBuyer'>>;

const newsLabels: Record<ParcelNews, Label> = {
  available_for_pickup: { label: 'At a pickup point', tone: 'warm' },
  return_to_sender: { label: 'On its way back', tone: 'warm' },
  failure: { label: 'Not delivered', tone: 'bad' },
  late: { label: 'Late', tone: 'warm' },
  no_return_address: { label: 'Return address missing', tone: 'warm' },
};

/** The label of an order's state, in the words of its reader. */
export function orderStateLabel(order: OrderInWords): Label {
  const { state, role, news } = order;
  if (news !== undefined) return newsLabels[news];
  return { label: textFor(stateLabels[state], role), tone: stateLabels[state].tone };
}

/** What each state means, to each of its readers. */
const meanings: Record<OrderState, ReaderTexts> = {
  held: {
    buyer:
      'The shop holds your money. Meet the seller, look at the laptop, and show your code only when you are content.',
    seller: 'The shop holds the buyer’s money until you hand the laptop over.',
    admin: 'The shop holds the buyer’s money until the laptop is handed over.',
  },
  to_ship: {
    buyer: 'The shop holds your money. The seller sends the laptop to your address for free.',
    seller: 'The shop holds the buyer’s money. Hand the laptop to a carrier; what you need for it is below.',
    admin: 'The shop holds the buyer’s money. The seller hands the laptop to a carrier.',
  },
  shipped: {
    buyer: 'The carrier has your parcel. Say here when it has arrived; the shop holds your money until then.',
    others: 'The carrier has the parcel. The shop holds the buyer’s money.',
  },
  delivered: {
    buyer: 'Your parcel has arrived. Look at the laptop in peace: the shop holds your money meanwhile.',
    others: 'The parcel has arrived, and the buyer has time to look at the laptop. The shop holds the money.',
  },
  complaint: {
    buyer: 'Your complaint is with the seller. No money moves until it is settled.',
    seller: 'The buyer has complained and waits for your answer. No money moves until it is settled.',
    admin: 'The buyer has complained. No money moves until that is settled.',
  },
  offered: {
    buyer: 'The seller offers to give you a part of the price back.',
    seller: 'You have offered a part of the price to the buyer.',
    admin: 'A part of the price is offered to the buyer.',
  },
  contested: {
    buyer: 'You and the seller see it differently. The shop looks at both sides and decides.',
    seller: 'You and the buyer see it differently. The shop looks at both sides and decides.',
    admin: 'Both sides see it differently. The shop decides.',
  },
  awaiting_return: {
    buyer: 'You get the whole price back when the seller has the laptop back.',
    seller: 'The buyer returns the laptop to you. Confirm it here, and the buyer gets the whole price back.',
    admin: 'The buyer returns the laptop and gets the whole price back then.',
  },
  return_reported: {
    buyer: 'You returned the laptop. The seller has to confirm it.',
    seller: 'The buyer says that you have the laptop back. Please say whether that is so.',
    admin: 'The buyer says that the laptop is back.',
  },
  released: {
    buyer: 'The laptop is yours, and the money the seller’s. You can still complain for a while.',
    seller: 'The money is yours. The buyer can still complain for a while.',
    admin: 'The money is released to the seller. The buyer can still complain for a while.',
  },
  charge_disputed: {
    buyer: 'Your bank disputes the payment. Nothing moves until it has decided.',
    seller: 'The buyer’s bank disputes the payment. Your money waits until it has decided.',
    admin: 'The buyer’s bank disputes the payment. The money waits until it has decided.',
  },
  completed: { seller: 'This sale is completed.', others: 'This order is completed.' },
  refunded: {
    buyer: 'The whole price goes back to your card.',
    others: 'The buyer gets the whole price back.',
  },
  charged_back: {
    buyer: 'Your bank gave the money back to you.',
    seller:
      'The buyer’s bank took the money back. What you were paid for this sale is taken back from your account, or from your next sales. If the laptop was not handed over, it is yours again.',
    admin:
      'The buyer’s bank took the money back. What the seller was paid is taken back from the seller’s account, or from the next sales. A laptop that was not handed over is the seller’s again.',
  },
};

/** What the news of a parcel mean, instead of its state. */
const newsMeanings: Record<ParcelNews, ReaderTexts> = {
  available_for_pickup: {
    buyer:
      'Your parcel waits at a pickup point: the carrier’s page says where and how long. The shop holds your money until you have it.',
    others: 'The parcel waits for the buyer at a pickup point. The shop holds the buyer’s money.',
  },
  return_to_sender: {
    buyer:
      'The carrier could not deliver your parcel and returns it to the seller, who sends it again or gives you the whole price back. The shop holds your money until then.',
    seller:
      'The carrier could not deliver the parcel and returns it to you. When you have it, say below whether you send it again or give the price back. The shop holds the buyer’s money.',
    admin:
      'The carrier could not deliver the parcel and returns it to the seller, who sends it again or gives the price back. The shop holds the buyer’s money.',
  },
  failure: {
    buyer:
      'The carrier cannot deliver your parcel, or has lost it. You need not do anything: the shop holds your money. If the parcel arrives nevertheless, say so here.',
    others: 'The carrier cannot deliver the parcel, or has lost it. The shop holds the buyer’s money.',
  },
  late: {
    buyer: 'Your parcel is late. If it has arrived, say so here. The shop holds your money until then.',
    seller:
      'The parcel is late. If the carrier reports it as delivered, say so below, with the proof. The shop holds the buyer’s money.',
    admin: 'The parcel is late. The shop holds the buyer’s money.',
  },
  no_return_address: {
    buyer:
      'The seller has to say to which address you return the laptop. You get the whole price back when the seller has it back.',
    seller:
      'Say below to which address the buyer returns the laptop. Confirm it here when you have it, and the buyer gets the whole price back.',
    admin: 'The seller has to say to which address the buyer returns the laptop.',
  },
};

/** What a delivery means that the buyer has not confirmed. */
const unconfirmedDelivery =
  'Your parcel was reported as delivered. If you do not have it, complain below. Otherwise look at the laptop in peace: the shop holds your money meanwhile.';

/** What it means that a laptop returns by parcel. */
const returnMeanings: Record<'underWay' | 'delivered' | 'failure' | 'turnedBack', ReaderTexts> = {
  underWay: {
    buyer:
      'The laptop is on its way back to the seller, who confirms here that it is there. Then you get the whole price back.',
    seller:
      'The laptop is on its way back to you. Confirm it below when you have it: then the buyer gets the whole price back.',
    admin: 'The laptop is on its way back to the seller, who confirms it.',
  },
  delivered: {
    buyer:
      'The carrier reports that the laptop is back. When the seller has confirmed it, you get the whole price back.',
    seller:
      'The carrier reports that the laptop is back. Please say below whether you have it: then the buyer gets the whole price back.',
    admin: 'The carrier reports that the laptop is back. The seller has to confirm it.',
  },
  failure: {
    buyer:
      'The carrier cannot deliver the laptop that you returned, or has lost it. You need not do anything: without an answer of the seller you get the whole price back.',
    seller:
      'The carrier cannot deliver the laptop that returns to you, or has lost it. Please say below whether you have it: if you do not, the shop decides.',
    admin: 'The carrier cannot deliver the laptop that returns, or has lost it. The seller has to answer.',
  },
  turnedBack: {
    buyer:
      'The carrier brings the laptop back to you. Please keep it: the shop decides whether you return it again, and to which address.',
    seller:
      'The carrier brings the laptop back to the buyer. Please say below to which address it returns: the shop decides.',
    admin: 'The carrier brings the laptop back to the buyer. The shop decides whether it returns again.',
  },
};

/** What is said of the parcel in which a laptop returns; null where it is its state. */
function returnNews({ state, parcels = [] }: OrderInWords): keyof typeof returnMeanings | null {
  const latest = parcels.at(-1);
  if (latest?.way !== 'back') return null;
  const reported = latest.tracking?.state;
  if (state === 'contested') return reported === 'return_to_sender' ? 'turnedBack' : null;
  if (state !== 'return_reported') return null;
  return reported === 'delivered' || reported === 'failure' ? reported : 'underWay';
}

/** What an order's state means for its reader. */
export function orderMeaning(order: OrderInWords): string {
  const { state, role, news, laptopWithBuyer = true } = order;
  if (news !== undefined) return textFor(newsMeanings[news], role);
  if (state === 'delivered' && role === 'buyer' && !laptopWithBuyer) return unconfirmedDelivery;
  const returned = returnNews(order);
  return textFor(returned === null ? meanings[state] : returnMeanings[returned], role);
}

/** How a text names the two people of an order. */
const people = {
  Buyer: 'The buyer',
  buyer: 'the buyer',
  buyers: 'the buyer’s',
  Buyers: 'The buyer’s',
  buyerGets: 'the buyer gets',
  Seller: 'The seller',
  seller: 'the seller',
  sellers: 'the seller’s',
};
type People = typeof people;

/** How it names its reader. */
const readers: Record<Role, Partial<People>> = {
  buyer: { Buyer: 'You', buyer: 'you', buyers: 'your', Buyers: 'Your', buyerGets: 'you get' },
  seller: { Seller: 'You', seller: 'you', sellers: 'your' },
  admin: {},
};

const peopleFor = (role: Role): People => ({ ...people, ...readers[role] });

const deadlines: Partial<Record<OrderState, (people: People) => string>> = {
  held: ({ seller }) => `Without a complaint, the money is released to ${seller} on`,
  to_ship: ({ buyerGets }) => `If it is not sent, ${buyerGets} the money back on`,
  shipped: ({ buyerGets }) => `If it does not arrive, ${buyerGets} the money back on`,
  delivered: ({ seller }) => `Without a complaint, the money is released to ${seller} on`,
  // In lists, where it is not known who has the laptop and what the carrier reports.
  complaint: ({ Seller }) => `${Seller} can answer until`,
  offered: ({ buyers }) => `Without ${buyers} answer, the offer counts as accepted on`,
  contested: () => 'The shop decides at the latest on',
  awaiting_return: ({ seller }) => `If the laptop is not returned, the money is released to ${seller} on`,
  return_reported: ({ sellers }) => `Without ${sellers} answer, the return counts as confirmed on`,
  released: ({ Buyer }) => `${Buyer} can complain until`,
};

/** Whether the carrier reports the parcel with a laptop as delivered, which its buyer does not have. */
export const isMissedDelivery = ({
  laptopWithBuyer,
  parcels,
}: Pick<Order, 'laptopWithBuyer' | 'parcels'>): boolean =>
  !laptopWithBuyer && parcels.findLast(({ way }) => way === 'out')?.tracking?.state === 'delivered';

const moneyBackUnanswered = ({ sellers, buyerGets }: People): string =>
  `Without ${sellers} answer, ${buyerGets} the money back on`;

/** What happens when a seller does not answer a complaint. */
function unansweredComplaint(order: Pick<Order, 'laptopWithBuyer' | 'parcels'>, names: People): string {
  const { sellers, buyer } = names;
  if (order.laptopWithBuyer)
    return `Without ${sellers} answer, ${buyer} can return the laptop for its whole price from`;
  if (isMissedDelivery(order)) return `Without ${sellers} answer, the shop decides from`;
  return moneyBackUnanswered(names);
}

/** What happens when a state ends by itself, as a sentence before the date; undefined when it does not. */
export function orderDeadline(order: OrderInWords & Pick<Order, 'sellerHasEnded'>): string | undefined {
  const { state, news, laptopWithBuyer, parcels } = order;
  const names = peopleFor(order.role);
  if (state === 'held' && order.sellerHasEnded === true) {
    return `Without ${names.buyers} confirmation, ${names.buyerGets} the money back on`;
  }
  if (news === 'no_return_address') return `Without an address, ${names.buyerGets} the money back on`;
  // A parcel that returns to its seller does not arrive: the seller says what becomes of it.
  if (news === 'return_to_sender') return moneyBackUnanswered(names);
  if (laptopWithBuyer !== undefined && parcels !== undefined) {
    const known = { laptopWithBuyer, parcels };
    if (state === 'complaint') return unansweredComplaint(known, names);
    // No money goes back by itself against what the carrier reports.
    if (state === 'contested' && isMissedDelivery(known)) return undefined;
  }
  return deadlines[state]?.(names);
}

const events: Record<OrderEvent['event'], (people: People) => string> = {
  paid: () => 'Paid by card',
  refund_part: () => 'A part of the price went back',
  goodwill: () => 'The shop gave money back at its own cost',
  hand_over: ({ buyers }) => `Handed over with ${buyers} code`,
  confirm: ({ Buyer }) => `${Buyer} confirmed that all is well`,
  release: () => 'Released: nobody complained',
  not_handed_over: ({ sellers }) =>
    `The shop ended ${sellers} account before the hand-over, and the price goes back`,
  cancel: ({ Seller }) => `${Seller} cancelled the sale`,
  ship: () => 'Handed to the carrier',
  collect: () => 'The carrier has the parcel',
  deliver: () => 'Delivered',
  not_shipped: ({ Seller }) => `${Seller} did not send it in time, and the price goes back`,
  receive: ({ Buyer }) => `${Buyer} received the parcel`,
  prove_delivery: ({ Seller }) => `${Seller} reported the delivery`,
  decide_delivered: () => 'The shop decided that it was delivered',
  take_back: () => 'The parcel came back, and the price goes back',
  send_again: () => 'The parcel came back, and is sent again',
  lose_parcel: () => 'The parcel counts as lost, and the price goes back',
  complain: ({ Buyer }) => `${Buyer} complained`,
  withdraw: ({ Buyer }) => `${Buyer} took the complaint back`,
  accept: ({ Seller }) => `${Seller} agreed to give the price back`,
  offer: ({ Seller }) => `${Seller} offered a part of the price`,
  contest: ({ Seller }) => `${Seller} contradicted`,
  accept_late: ({ Seller }) => `${Seller} did not answer in time`,
  contest_late: ({ Seller }) => `${Seller} did not answer in time: the shop decides`,
  take_offer: ({ Buyer }) => `${Buyer} accepted the offer`,
  decline_offer: ({ Buyer }) => `${Buyer} declined the offer`,
  take_offer_late: ({ Buyer }) => `${Buyer} did not answer the offer in time`,
  decide_return: () => 'The shop decided: the price goes back, the laptop first',
  decide_refund: () => 'The shop decided: the price goes back',
  decide_part: () => 'The shop decided: a part of the price goes back',
  decide_release: ({ seller }) => `The shop decided for ${seller}`,
  decide_late: ({ buyer }) => `The shop did not decide in time: for ${buyer}`,
  report_return: ({ Buyer }) => `${Buyer} returned the laptop`,
  collect_return: () => 'The carrier has the laptop on its way back',
  turn_back: ({ buyer }) => `The carrier brings the laptop back to ${buyer}`,
  arrive_late: () => 'The carrier’s report came when the money had gone the other way',
  confirm_return: ({ Seller }) => `${Seller} confirmed the return`,
  deny_return: ({ Seller }) => `${Seller} denied the return`,
  keep_laptop: () => 'The laptop was not returned in time',
  not_addressed: ({ Seller }) => `${Seller} did not say to which address the laptop returns`,
  assume_return: ({ Seller }) => `${Seller} did not answer about the return in time`,
  refund_rest: () => 'The shop gave the rest of the price back',
  refund_outside: () => 'The shop gave the rest of the price back at the card processor',
  complete: () => 'The time for complaints is over',
  dispute: ({ Buyers }) => `${Buyers} bank disputed the payment`,
  win_dispute: () => 'The bank decided for the shop',
  lose_dispute: ({ buyer }) => `The bank decided for ${buyer}`,
};

/** What happened, for the timeline of its reader. */
export const orderEventLabel = (event: OrderEvent['event'], role: Role): string =>
  events[event](peopleFor(role));

/** What somebody did, after their name. */
export const orderAct = (event: OrderEvent['event'], role: Role): string =>
  orderEventLabel(event, role).replace(/^(You|The (buyer|seller|shop)) /, '');

const otherActors = {
  deadline: 'the calendar',
  bank: 'the bank',
  carrier: 'the carrier',
  admin: 'the shop',
  shop: 'the shop',
};

/** Who made a move, for the timeline of its reader. */
export const orderActor = (by: OrderEvent['by'], role: Role): string =>
  ({ ...otherActors, ...peopleFor(role) })[by];
