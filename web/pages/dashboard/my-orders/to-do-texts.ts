import { href } from 'react-router';
import type { ToDoKind } from '#contract/operations/to-do.ts';
import { formatToDo } from '../../../to-do/to-do-pages.ts';

/** A kind whose items each have a line. */
export interface ItemTexts {
  /** What to do. @param person the other person's first name @param isAgreed whether the two have agreed on a meeting */
  sentence: (laptop: string, person: string, isAgreed: boolean) => string;
  /** The page of an item, by its id. Left out: that of its order. */
  to?: (id: string) => string;
  /** The items that have no line, after their number: '3 more laptops to return'. */
  others: string;
  /** What happens at the end, before its date. */
  deadline?: string;
  /** Whether the end is within the hour. */
  isSoon?: boolean;
  /** What is said of an item without an end. */
  noDeadline?: string;
}

/** A kind of which only the number is told. @param count the number for display, and whether it is one */
export type ListSentence = (count: string, isOne: boolean) => string;

export const toOrder = (id: string) => href('/dashboard/order/:id', { id });
const toPayment = (id: string) => href('/dashboard/payment/:id', { id });
const toConversation = (id: string) => href('/dashboard/messages/:id?', { id });

export const toDoTexts: Readonly<Record<ToDoKind, ItemTexts | ListSentence>> = {
  pay: {
    sentence: (laptop) => `Pay for ${laptop}`,
    to: toPayment,
    others: 'laptops to pay for',
    deadline: 'Nobody else can pay before',
    isSoon: true,
    noDeadline: 'The first to pay gets it.',
  },
  agree_to_price: {
    sentence: (laptop) => `Agree to the new price of ${laptop}, or cancel`,
    to: toPayment,
    others: 'new prices',
    noDeadline: 'The first to pay gets it.',
  },
  show_code: {
    sentence: (laptop, person, isAgreed) =>
      isAgreed
        ? `Meet ${person}, look at ${laptop}, then show your code`
        : `Agree with ${person} on a time to look at ${laptop}`,
    others: 'laptops to look at',
    deadline: 'Without a complaint, the money is released on',
  },
  receive_parcel: {
    sentence: (laptop, person) => `Say when ${laptop} from ${person} has arrived`,
    others: 'parcels to receive',
    deadline: 'If it does not arrive, you get the money back on',
  },
  look_at_laptop: {
    sentence: (laptop) => `Look at ${laptop}, which has arrived`,
    others: 'laptops to look at',
    deadline: 'Without a complaint, the money is released on',
  },
  answer_offer: {
    sentence: (laptop, person) => `Answer ${person}’s offer for ${laptop}`,
    others: 'offers to answer',
    deadline: 'Without an answer, it counts as accepted on',
  },
  return_laptop: {
    sentence: (laptop, person) => `Return ${laptop} to ${person}`,
    others: 'laptops to return',
    deadline: 'Otherwise the money is released on',
  },
  answer_meeting: {
    sentence: (laptop, person) => `Answer ${person}, who proposes to meet about ${laptop}`,
    to: toConversation,
    others: 'proposals to answer',
  },
  read_message: {
    sentence: (laptop, person) => `Read what ${person} wrote about ${laptop}`,
    to: toConversation,
    others: 'messages to read',
  },
  answer_question: {
    sentence: (laptop, person) => `Answer ${person}, who wrote about ${laptop}`,
    to: toConversation,
    others: 'messages to answer',
  },
  answer_complaint: {
    sentence: (laptop, person) => `Answer ${person}’s complaint about ${laptop}`,
    others: 'complaints to answer',
    deadline: 'You can answer until',
  },
  give_return_address: {
    sentence: (laptop, person) => `Say to which address ${person} returns ${laptop}`,
    others: 'addresses for returns',
    deadline: 'Without an address, the buyer gets the money back and keeps the laptop on',
  },
  confirm_return: {
    sentence: (laptop, person) => `Say whether ${person} has returned ${laptop}`,
    others: 'returns to confirm',
    deadline: 'Without an answer, it counts as returned on',
  },
  hand_over: {
    sentence: (laptop, person, isAgreed) =>
      isAgreed
        ? `Hand ${laptop} over to ${person}, and enter the code`
        : `Agree with ${person} on a time to hand over ${laptop}`,
    others: 'laptops to hand over',
    deadline: 'Without a complaint, the money is released to you on',
  },
  send_parcel: {
    sentence: (laptop, person) => `Send ${laptop} to ${person}`,
    others: 'laptops to send',
    deadline: 'Otherwise the buyer gets the money back on',
  },
  open_payout_account: () => 'Give the card processor your bank account, so that you can be paid',
  decide_complaint: {
    sentence: (laptop) => `Decide the complaint about ${laptop}`,
    others: 'complaints to decide',
    deadline: 'Without a decision, the buyer gets the money back on',
  },
  answer_dispute: {
    sentence: (laptop) => `Send the bank evidence about the disputed payment of ${laptop}`,
    others: 'disputed payments',
    deadline: 'Without an answer in the card processor’s dashboard, it is lost on',
  },
  inspect_laptop: (count, isOne) => `Inspect ${count} ${isOne ? 'laptop' : 'laptops'}`,
  resolve_item_report: (count, isOne) => `Decide about ${count} reported ${isOne ? 'laptop' : 'laptops'}`,
  resolve_conversation_report: (count, isOne) =>
    `Read ${count} reported ${isOne ? 'conversation' : 'conversations'}`,
  resolve_review_report: (count, isOne) => `Decide about ${count} ${isOne ? 'report' : 'reports'} of reviews`,
  late_parcel: (count, isOne) =>
    isOne ? '1 parcel is late, or arrived too late' : `${count} parcels are late, or arrived too late`,
  record_claim_payment: (count, isOne) =>
    `Settle ${count} insurance ${isOne ? 'claim' : 'claims'} for parcels`,
  approve_name: (count, isOne) => `Approve or refuse ${count} new ${isOne ? 'name' : 'names'}`,
  decide_waiting_refund: (count, isOne) =>
    isOne ? '1 refund waits for the seller’s money' : `${count} refunds wait for the sellers’ money`,
  failed_refund: (count, isOne) => (isOne ? '1 refund has failed' : `${count} refunds have failed`),
  refused_transfer: (count, isOne) =>
    isOne ? '1 transfer to a seller was refused' : `${count} transfers to sellers were refused`,
  failed_backup: () => 'The shop has no recent backup that worked',
};

/** The words about items that have no line; null when all have one. */
export function othersSentence(texts: ItemTexts, count: number, listed: number): string | null {
  if (count <= listed) return null;
  const others = formatToDo(count) === String(count) ? String(count - listed) : `More than ${count - listed}`;
  return `${others} more ${texts.others}`;
}
