import { deadlineDays, type OrderMove } from '#contract/money/order-states.ts';

/** The sentence about a move for the buyer and for the seller. A person without one is not notified. */
export type Sentences = Partial<Record<'buyer' | 'seller', string>>;

export const moveSentences = (): Record<OrderMove, Sentences> => ({
  hand_over: {
    buyer: `The seller entered your code, so the money is released. You can still complain for ${deadlineDays('released')} days, on the order.`,
    seller: 'You entered the buyer’s code, so the money of this sale is yours now.',
  },
  confirm: { seller: 'The buyer has confirmed that all is well, so the money of this sale is yours now.' },
  release: {
    buyer: `Nobody complained in time, so the money is released to the seller. You can still complain for ${deadlineDays('released')} days, on the order.`,
    seller: 'Nobody complained in time, so the money of this sale is yours now.',
  },
  not_handed_over: {
    buyer:
      'The shop has ended the seller’s account, and you have not confirmed that you have the laptop. So the sale has ended, and the whole price goes back to your card.',
  },
  cancel: {
    buyer:
      'The seller cannot go through with the sale. The whole price goes back to your card. The seller’s reason is on the order.',
  },
  ship: {
    buyer: `The seller has handed the laptop to a carrier. The tracking number is on the order. Say there when it has arrived: then you have ${deadlineDays('delivered')} days to look at it.`,
  },
  collect: {
    buyer: `The carrier has your parcel and tracks it on the order. When it has arrived, you have ${deadlineDays('delivered')} days to look at the laptop.`,
    seller: 'The carrier has the parcel and tracks it on the order. You need not report anything.',
  },
  deliver: {
    buyer: `The carrier reports that your parcel was delivered. If you do not have it, or something is wrong, complain on the order within ${deadlineDays('delivered')} days, and the money waits. Otherwise the seller gets it then.`,
    seller: `The carrier reports that the parcel was delivered. The buyer has ${deadlineDays('delivered')} days to look at the laptop; without a complaint the money of this sale is yours then.`,
  },
  not_shipped: {
    buyer: 'The seller has not sent the laptop in time, so the whole price goes back to your card.',
    seller:
      'You have not sent the laptop in time, so the sale has ended and the buyer gets the whole price back.',
  },
  receive: {
    seller: `The buyer has the parcel, and ${deadlineDays('delivered')} days to look at the laptop. Without a complaint the money of this sale is yours then.`,
  },
  prove_delivery: {
    buyer: `The seller reports that your parcel was delivered; the proof is on the order. If you do not have it, complain there within ${deadlineDays('delivered')} days, and the money waits. Otherwise the seller gets it then.`,
  },
  decide_delivered: {
    buyer: `The shop has a proof that your parcel was delivered; it is on the order. If something is wrong, complain there within ${deadlineDays('delivered')} days. Otherwise the seller gets the money then.`,
    seller: `The shop has a proof that the parcel was delivered. Without a complaint the money of this sale is yours in ${deadlineDays('delivered')} days.`,
  },
  take_back: {
    buyer:
      'The parcel came back to the seller, so the whole price goes back to your card. Why is on the order.',
  },
  send_again: {
    buyer:
      'The parcel came back to the seller, who sends it again. Please look at the address on the order, and correct it there if it is wrong.',
  },
  lose_parcel: {
    buyer: `Your parcel has not arrived in ${deadlineDays('shipped')} days, so it counts as lost and the whole price goes back to your card. If it arrives later, please do not accept it, or send it back.`,
    seller: `The parcel has not arrived in ${deadlineDays('shipped')} days and you have not shown that it did, so it counts as lost and the buyer gets the whole price back. If the label was the shop’s, the shop claims its insurance, which is yours. Otherwise ask the carrier for the parcel, or for what it pays for a lost one.`,
  },
  complain: {
    seller: `The buyer has complained. Please answer on the order within ${deadlineDays('complaint')} days; without an answer the buyer gets the money back, after the laptop if the buyer has it. Only about a parcel that its carrier reports as delivered, the shop decides.`,
  },
  withdraw: {
    seller:
      'The buyer has taken the complaint back. If the buyer has the laptop, the money of this sale is yours; otherwise the sale goes on where it was.',
  },
  accept: {
    buyer:
      'The seller agrees to give the whole price back. If you have the laptop, return it first and say so on the order.',
  },
  offer: {
    buyer: `The seller offers to give a part of the price back. Please answer on the order within ${deadlineDays('offered')} days; without an answer it counts as accepted.`,
  },
  contest: { buyer: 'The seller contradicts your complaint. The shop looks at both sides and decides.' },
  accept_late: {
    buyer:
      'The seller has not answered your complaint, so you get the whole price back. If you have the laptop, return it first and say so on the order.',
    seller: 'You have not answered the complaint in time, so the buyer gets the whole price back.',
  },
  contest_late: {
    buyer:
      'The seller has not answered your complaint, and the carrier reports that your parcel was delivered. So the shop looks at it and decides.',
    seller:
      'You have not answered the complaint in time. The carrier reports that the parcel was delivered, so the shop looks at it and decides.',
  },
  take_offer: { seller: 'The buyer accepts your offer. The rest of the price is yours.' },
  decline_offer: {
    seller: 'The buyer declines your offer. The shop looks at both sides and decides.',
  },
  take_offer_late: {
    buyer:
      'You have not answered the seller’s offer, so it counts as accepted. That part of the price goes back to your card.',
    seller:
      'The buyer has not answered your offer, so it counts as accepted. The rest of the price is yours.',
  },
  decide_return: {
    buyer:
      'The shop has decided for you. If you have the laptop, return it first and say so on the order; then the whole price goes back to your card.',
    seller: 'The shop has decided for the buyer, who returns the laptop and gets the whole price back.',
  },
  decide_refund: {
    buyer: 'The shop has decided for you: the whole price goes back to your card.',
    seller: 'The shop has decided for the buyer, who gets the whole price back.',
  },
  decide_part: {
    buyer: 'The shop has decided: you keep the laptop, and a part of the price goes back to your card.',
    seller:
      'The shop has decided: the buyer keeps the laptop and gets a part of the price back. The rest is yours.',
  },
  decide_release: {
    buyer: 'The shop has decided for the seller, who gets the money.',
    seller: 'The shop has decided for you: the money of this sale is yours.',
  },
  decide_late: {
    buyer:
      'The shop has not decided in time, and that must not be at your cost: you get the whole price back. If you have the laptop, return it first and say so on the order.',
    seller: 'The shop has not decided in time, so the buyer gets the whole price back.',
  },
  report_return: {
    seller:
      'The buyer says that the laptop is back with you, or on its way. Please confirm or deny on the order that you have it. Without an answer it counts as confirmed.',
  },
  collect_return: {
    seller:
      'The carrier has the laptop on its way back to you. Please confirm on the order when you have it. Without an answer it counts as confirmed.',
  },
  turn_back: {
    buyer:
      'The carrier could not deliver the laptop to the seller and brings it back to you. Please keep it: the shop decides whether you return it again, and to which address.',
    seller:
      'The carrier could not deliver the laptop to you and brings it back to the buyer. Please say on the order to which address it returns: the shop decides.',
  },
  confirm_return: {
    buyer: 'The seller has the laptop back, so the whole price goes back to your card.',
  },
  deny_return: {
    buyer: 'The seller says that the laptop is not back. The shop looks at both sides and decides.',
  },
  keep_laptop: {
    buyer: 'You have not returned the laptop in time, so the money is released to the seller.',
    seller: 'The buyer has not returned the laptop in time, so the money of this sale is yours.',
  },
  not_addressed: {
    buyer:
      'The seller has not said to which address the laptop returns. So the whole price goes back to your card, and you need not return the laptop.',
    seller:
      'You have not said to which address the laptop returns. So the buyer gets the whole price back, and need not return the laptop.',
  },
  assume_return: {
    buyer:
      'The seller has not answered whether the laptop is back, so the whole price goes back to your card.',
    seller: 'You have not answered whether the laptop is back, so the buyer gets the whole price back.',
  },
  // Of an order whose money was released before, both know it: see `isReleasedWith`.
  complete: { seller: 'Nobody complained in time, so the money of this sale is yours now.' },
  // The notifications about the refund itself say it.
  refund_rest: {},
  refund_outside: {},
  dispute: {
    seller:
      'The buyer’s bank disputes the payment. The money of this sale waits until the bank has decided; that can take months. What the shop has transferred to you for it is taken back, and until the decision nothing is paid to you: your other sales stay yours and are paid afterwards.',
  },
  win_dispute: {
    buyer:
      'Your bank has decided for the shop. The order goes on where it was, with a new deadline if it had one.',
    seller:
      'The bank has decided for the shop. The sale goes on where it was, with a new deadline if it had one, and what was held back is paid as before.',
  },
  lose_dispute: {
    seller: 'The bank has decided for the buyer and took the money of this sale back.',
  },
});

/** What has happened, at the beginning of the title. */
export const moveTitles: Record<OrderMove, string> = {
  hand_over: 'Handed over',
  confirm: 'The buyer is content',
  release: 'Released without a complaint',
  not_handed_over: 'Not handed over',
  cancel: 'Sale cancelled',
  ship: 'On its way',
  collect: 'On its way',
  deliver: 'Delivered',
  not_shipped: 'Not sent in time',
  receive: 'The parcel has arrived',
  prove_delivery: 'The seller reports the delivery',
  decide_delivered: 'The shop has decided: delivered',
  take_back: 'The parcel came back',
  send_again: 'The parcel came back',
  lose_parcel: 'The parcel counts as lost',
  complain: 'Complaint to answer',
  withdraw: 'Complaint taken back',
  accept: 'The seller gives the price back',
  offer: 'Offer to answer',
  contest: 'The shop decides',
  accept_late: 'Complaint not answered in time',
  contest_late: 'The shop decides',
  take_offer: 'Offer accepted',
  decline_offer: 'Offer declined',
  take_offer_late: 'Offer not answered in time',
  decide_return: 'The shop has decided',
  decide_refund: 'The shop has decided',
  decide_part: 'The shop has decided',
  decide_release: 'The shop has decided',
  decide_late: 'Not decided in time',
  report_return: 'Return to confirm',
  collect_return: 'On its way back',
  turn_back: 'The return goes back',
  confirm_return: 'Returned',
  deny_return: 'Return denied',
  keep_laptop: 'Not returned in time',
  not_addressed: 'No address for the return',
  assume_return: 'Counts as returned',
  complete: 'Completed',
  refund_rest: 'Refunded',
  refund_outside: 'Refunded',
  dispute: 'Disputed at the bank',
  win_dispute: 'Dispute won by the shop',
  lose_dispute: 'Dispute lost',
};
