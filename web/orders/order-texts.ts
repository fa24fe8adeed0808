import type { OrderState } from '#contract/money/order-states.ts';
import type { Order, OrderEvent } from '#contract/sales/orders.ts';

type Tone = 'good' | 'warm' | 'bad' | 'neutral';

/** The label of each state. */
export const orderStateLabels: Record<OrderState, { label: string; tone: Tone }> = {
  held: { label: 'Money held', tone: 'good' },
  to_ship: { label: 'To be sent', tone: 'good' },
  shipped: { label: 'On its way', tone: 'good' },
  delivered: { label: 'Delivered', tone: 'good' },
  complaint: { label: 'Complaint', tone: 'bad' },
  offered: { label: 'Part offered', tone: 'warm' },
  contested: { label: 'The shop decides', tone: 'warm' },
  awaiting_return: { label: 'Laptop to return', tone: 'warm' },
  return_reported: { label: 'Return to confirm', tone: 'warm' },
  released: { label: 'Released', tone: 'good' },
  charge_disputed: { label: 'Disputed at the bank', tone: 'bad' },
  completed: { label: 'Completed', tone: 'good' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  charged_back: { label: 'Charged back', tone: 'bad' },
};

/** What each state means, to the buyer and to the others. */
const meanings: Record<OrderState, { buyer: string; others: string }> = {
  held: {
    buyer:
      'The shop holds your money. Meet the seller, look at the laptop, and show your code only when you are content.',
    others: 'The shop holds the buyer’s money until the laptop is handed over.',
  },
  to_ship: {
    buyer: 'The shop holds your money. The seller sends the laptop to your address for free.',
    others: 'The shop holds the buyer’s money. The seller hands the laptop to a carrier.',
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
    others: 'The buyer has complained. No money moves until that is settled.',
  },
  offered: {
    buyer: 'The seller offers to give a part of the price back.',
    others: 'A part of the price is offered to the buyer.',
  },
  contested: {
    buyer: 'You and the seller see it differently. The shop looks at both sides and decides.',
    others: 'Both sides see it differently. The shop decides.',
  },
  awaiting_return: {
    buyer: 'You get the whole price back when the seller has the laptop back.',
    others: 'The buyer returns the laptop and gets the whole price back then.',
  },
  return_reported: {
    buyer: 'You returned the laptop. The seller has to confirm it.',
    others: 'The buyer says that the laptop is back.',
  },
  released: {
    buyer: 'The money is released to the seller. You can still complain for a while.',
    others: 'The money is the seller’s. The buyer can still complain for a while.',
  },
  charge_disputed: {
    buyer: 'Your bank disputes the payment. Nothing moves until it has decided.',
    others: 'The buyer’s bank disputes the payment. The money waits until it has decided.',
  },
  completed: { buyer: 'This order is completed.', others: 'This order is completed.' },
  refunded: {
    buyer: 'The whole price goes back to your card.',
    others: 'The buyer gets the whole price back.',
  },
  charged_back: {
    buyer: 'Your bank gave the money back to you.',
    others:
      'The buyer’s bank took the money back. What the seller was paid is taken back from the seller’s account, or from the next sales. A laptop that was not handed over is the seller’s again.',
  },
};

/** What an order's state means for whoever looks at it. */
export const orderMeaning = ({ state, role }: Pick<Order, 'state' | 'role'>): string =>
  meanings[state][role === 'buyer' ? 'buyer' : 'others'];

/** What happens when a state ends by itself, as a sentence before the date. */
export const orderDeadlines: Partial<Record<OrderState, string>> = {
  held: 'Without a complaint, the money is released to the seller on',
  to_ship: 'If it is not sent, the buyer gets the money back on',
  shipped: 'If it does not arrive, the buyer gets the money back on',
  delivered: 'Without a complaint, the money is released to the seller on',
  complaint: 'Without an answer of the seller, the buyer gets the money back on',
  offered: 'Without an answer of the buyer, the offer counts as accepted on',
  contested: 'The shop decides at the latest on',
  awaiting_return: 'If the laptop is not returned, the money is released to the seller on',
  return_reported: 'Without an answer of the seller, the return counts as confirmed on',
  released: 'Complaints are possible until',
};

/** What happened, for the timeline. */
export const orderEventLabels: Record<OrderEvent['event'], string> = {
  paid: 'Paid by card',
  refund_part: 'A part of the price went back',
  goodwill: 'The shop gave money back at its own cost',
  hand_over: 'Handed over with the buyer’s code',
  confirm: 'The buyer confirmed that all is well',
  release: 'Released: nobody complained',
  cancel: 'The seller cancelled the sale',
  ship: 'Handed to the carrier',
  not_shipped: 'The seller did not send it in time',
  receive: 'The buyer has the parcel',
  prove_delivery: 'The seller reported the delivery',
  decide_delivered: 'The shop decided that it was delivered',
  take_back: 'The parcel came back, and the price goes back',
  send_again: 'The parcel came back, and is sent again',
  lose_parcel: 'The parcel counts as lost',
  complain: 'The buyer complained',
  withdraw: 'The buyer took the complaint back',
  accept: 'The seller agreed to give the price back',
  offer: 'The seller offered a part of the price',
  contest: 'The seller contradicted',
  give_way: 'The seller did not answer in time',
  take_offer: 'The buyer accepted the offer',
  decline_offer: 'The buyer declined the offer',
  keep_offer: 'The buyer did not answer the offer in time',
  decide_return: 'The shop decided: the laptop returns, and so does the price',
  decide_refund: 'The shop decided: the price goes back',
  decide_part: 'The shop decided: a part of the price goes back',
  decide_release: 'The shop decided for the seller',
  decide_late: 'The shop did not decide in time: for the buyer',
  report_return: 'The buyer returned the laptop',
  confirm_return: 'The seller confirmed the return',
  deny_return: 'The seller denied the return',
  keep_laptop: 'The laptop was not returned in time',
  assume_return: 'The seller did not answer about the return in time',
  refund_rest: 'The shop gave the rest of the price back',
  refund_outside: 'The shop gave the rest of the price back at the card processor',
  complete: 'The time for complaints is over',
  dispute: 'The buyer’s bank disputed the payment',
  win_dispute: 'The bank decided for the shop',
  lose_dispute: 'The bank decided for the buyer',
};
