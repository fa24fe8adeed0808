import type { OrderMove } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { amountFromCents, formatCents } from '#contract/platform/money.ts';
import {
  type buyerAnswers,
  type Complaint,
  type ComplaintItem,
  type ComplaintKind,
  type decisionsOfComplaint,
  isAboutOwnLaptop,
  isOfDelivery,
  MAXIMUM_COMPLAINTS,
  MAXIMUM_OFFERS,
  MAXIMUM_OWN_STATEMENTS,
  MAXIMUM_RETURN_DECISIONS,
  type Statement,
  type sellerAnswers,
} from '#contract/sales/complaints.ts';
import { type RatingColumns, ratedPeople } from '#server/listings/catalogue/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { type OrderedLaptop, remainingPriceCents } from '../orders/rules.ts';

/** An author of statements about a complaint. */
export type Party = Statement['by'];
/** A move that a person makes about an open complaint. */
export type ComplaintMove =
  | (typeof buyerAnswers)[number]
  | (typeof sellerAnswers)[number]
  | (typeof decisionsOfComplaint)[number];

type ComplaintOfOrder = Pick<Row<'complaints'>, 'id' | 'nth' | 'kind'>;
export type StatementOfComplaint = Omit<
  Row<'complaint_statements'>,
  'complaint_id' | 'author_id' | 'nth' | 'number'
>;

/** Why an order cannot be complained about; null when it can. @param complaints earlier ones about the order */
export function complaintRefusal(
  order: Pick<OrderedLaptop, 'laptop_name' | 'laptop_with_buyer' | 'delivery'>,
  complaints: number,
  kind: ComplaintKind,
): string | null {
  if (complaints >= MAXIMUM_COMPLAINTS) {
    return `You have complained ${MAXIMUM_COMPLAINTS} times about ${order.laptop_name}, which is the most that is possible. Nothing was changed. Please write to the shop.`;
  }
  if (!isOfDelivery(kind, order.delivery)) {
    return `${order.laptop_name} ${order.delivery === 'ship' ? 'is sent by parcel' : 'is handed over when you meet'}, so this cannot be wrong with it. Nothing was changed; please choose again.`;
  }
  if (!isAboutOwnLaptop(kind) && order.laptop_with_buyer) {
    return `You have ${order.laptop_name} according to this order, so it was ${order.delivery === 'ship' ? 'delivered' : 'handed over'}. Nothing was changed; please choose what is wrong with it.`;
  }
  return null;
}

const count = (statements: readonly StatementOfComplaint[], move: ComplaintMove | null, party?: Party) =>
  statements.filter(
    (statement) => statement.move === move && (party === undefined || statement.party === party),
  ).length;

/** Why a party cannot add another statement without a move; null when it can. */
export function statementRefusal(statements: readonly StatementOfComplaint[], party: Party): string | null {
  if (count(statements, null, party) < MAXIMUM_OWN_STATEMENTS) return null;
  return `You have added ${MAXIMUM_OWN_STATEMENTS} statements to this complaint, which is the most that is possible. This one was not kept. The answers on the order are still possible.`;
}

/** Why a move is not possible about a complaint; null when it is. The bounds make every complaint end. */
export function answerRefusal(
  statements: readonly StatementOfComplaint[],
  move: ComplaintMove,
  kind: ComplaintKind,
): string | null {
  if ((move === 'offer' || move === 'decide_part') && !isAboutOwnLaptop(kind)) {
    return 'The buyer does not have the laptop, so a part of the price does not settle this. Nothing was changed. The whole price can go back, or the laptop is handed over.';
  }
  if (move === 'offer' && count(statements, 'offer') >= MAXIMUM_OFFERS) {
    return `You have made ${MAXIMUM_OFFERS} offers about this complaint, which is the most that is possible. Nothing was changed. You can still agree to the whole price; otherwise the shop decides.`;
  }
  if (move === 'decide_return' && count(statements, 'decide_return') >= MAXIMUM_RETURN_DECISIONS) {
    return `It was decided ${MAXIMUM_RETURN_DECISIONS} times that the laptop returns. Nothing was changed. Please decide where the money goes.`;
  }
  return null;
}

/** Why an amount is no part of what is left of the price; null when it is. */
export function partialRefundRefusal(
  order: Pick<OrderedLaptop, 'price_cents' | 'refunded_cents' | 'goodwill_cents'>,
  amountCents: number,
): string | null {
  const left = remainingPriceCents(order);
  return amountCents < left ? null : `A part of the price is less than ${formatCents(left)}`;
}

/** The seller's latest offer in cents; null when there was none. */
export const latestOffer = (statements: readonly StatementOfComplaint[]): number | null =>
  statements.findLast(({ move }) => move === 'offer')?.amount_cents ?? null;

/** Whether an offer of the seller waits for an answer, also while a bank dispute interrupts that. */
const isOffered = ({ state, disputed_in }: Pick<OrderedLaptop, 'state' | 'disputed_in'>) =>
  (disputed_in ?? state) === 'offered';

/** The message to a buyer who accepted an amount that is not the present offer. */
export const offerChangedMessage = (statements: readonly StatementOfComplaint[]): string =>
  `The seller’s offer is ${formatCents(latestOffer(statements) ?? 0)} now. Nothing was accepted; please look at it again.`;

/** Whether the latest move about a complaint is this one of the same party: then the call is a repetition. */
export function isRepeated(
  statements: readonly StatementOfComplaint[],
  party: Party,
  { move, amount }: { move: ComplaintMove; amount?: number | undefined },
): boolean {
  const latest = statements.findLast((statement) => statement.move !== null);
  return latest?.party === party && latest.move === move && latest.amount_cents === (amount ?? null);
}

/**
 * Whether the buyer has the laptop after a move; undefined where the move changes nothing about it. A laptop that the buyer
 * reports as returned counts as returned, also when the seller denies it, unless a person decides otherwise. A part of the price, or
 * a decision for the seller, leaves the laptop to the buyer.
 */
export function isWithBuyerAfter(move: OrderMove, kind: ComplaintKind): boolean | undefined {
  switch (move) {
    case 'report_return':
    case 'collect_return':
    case 'confirm_return':
      return false;
    case 'take_offer':
    case 'take_offer_late':
    case 'decide_part':
    case 'decide_release':
      return true;
    case 'complain':
    case 'withdraw':
    case 'decide_return':
      return isAboutOwnLaptop(kind);
    default:
      return undefined;
  }
}

/** Whether a complaint is open: it is the latest one of its order, and the order is in a complaint. */
export const isOpen = (
  order: Pick<OrderedLaptop, 'in_complaint'>,
  complaint: Pick<ComplaintOfOrder, 'nth'>,
  complaints: readonly Pick<ComplaintOfOrder, 'nth'>[],
): boolean => order.in_complaint && complaints.every(({ nth }) => nth <= complaint.nth);

function toStatement(statement: StatementOfComplaint, photoUrl: (photo: string) => string): Statement {
  return {
    _id: statement.id,
    at: statement.said_at.toISOString(),
    by: statement.party,
    move: statement.move,
    text: statement.text,
    ...(statement.amount_cents !== null && { amount: amountFromCents(statement.amount_cents) }),
    photos: statement.photos.map(photoUrl),
  };
}

/** The response for a complaint. @param photoUrl makes the public URL of a stored photo */
export function toComplaint(
  order: Pick<OrderedLaptop, 'state' | 'disputed_in'>,
  complaint: ComplaintOfOrder & { isOpen: boolean },
  statements: readonly StatementOfComplaint[],
  photoUrl: (photo: string) => string,
): Complaint {
  const offered = complaint.isOpen && isOffered(order) ? latestOffer(statements) : null;
  return {
    _id: complaint.id,
    kind: complaint.kind,
    isOpen: complaint.isOpen,
    offered: offered === null ? null : amountFromCents(offered),
    statements: statements.map((statement) => toStatement(statement, photoUrl)),
  };
}

/** A complaint with its order, for the admins' list. */
export interface ListedComplaint
  extends RatingColumns,
    Omit<Row<'complaints'>, 'nth'>,
    Pick<Row<'orders'>, 'price_cents' | 'state' | 'due_at'> {
  laptop_name: string;
  laptop_images: string[];
  buyer_name: string;
  seller_name: string;
}

/** The response for a complaint in the admins' list. @param photoUrl makes the public URL of a stored photo */
export const toItem = (row: ListedComplaint, photoUrl: (photo: string) => string): ComplaintItem => ({
  _id: row.id,
  orderId: row.order_id,
  kind: row.kind,
  productName: row.laptop_name,
  image: photoUrl(row.laptop_images[0] ?? ''),
  price: amountFromCents(row.price_cents),
  buyerName: row.buyer_name,
  sellerName: row.seller_name,
  ...ratedPeople(row),
  state: row.state,
  complainedAt: row.complained_at.toISOString(),
  dueAt: row.due_at?.toISOString() ?? null,
});

/** How long before a deadline a reminder is sent, in milliseconds. */
export const REMINDER_MS = 2 * DAY_MS;

const decisionNotes = {
  decide_return: 'the whole price back after the return',
  decide_refund: 'the whole price back',
  decide_part: 'a part of the price back',
  decide_release: 'for the seller',
} as const satisfies Record<(typeof decisionsOfComplaint)[number], string>;

/** The audit trail's note about a decision. */
export const decisionNote = (
  move: (typeof decisionsOfComplaint)[number],
  amountCents: number | undefined,
  explanation: string,
): string =>
  `${decisionNotes[move]}${amountCents === undefined ? '' : ` (${formatCents(amountCents)})`}: ${explanation}`;
