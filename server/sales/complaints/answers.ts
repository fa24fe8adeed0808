// The moves that people make about open complaints. Each is a statement, and each runs under the lock of its order.

import type { OrderMove } from '#contract/money/order-states.ts';
import type * as contract from '#contract/sales/complaints.ts';
import type { TrackedParcel } from '#contract/sales/shipping.ts';
import {
  keepHostedPhotos,
  type PhotoDependencies,
  requireHostedPhotos,
} from '#server/listings/catalogue/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Row, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { requireUninvolved } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { orderNotFound, orderStateChanged } from '../orders/refusals.ts';
import { type OrderedLaptop, stateAfter } from '../orders/rules.ts';
import { type MoveResult, moveOrder, openDamageClaim, selectOrderForUpdate } from '../orders/steps.ts';
import { paymentSubject } from '../payments/rules.ts';
import { trackedElsewhere } from '../shipping/refusals.ts';
import { insertParcel, markNumberUsed } from '../shipping/steps.ts';
import { complaintContested } from './notifications.ts';
import {
  answerRefusal,
  type ComplaintMove,
  decisionNote,
  isOpen,
  isRepeated,
  isWithBuyerAfter,
  latestOffer,
  offerChangedMessage,
  type Party,
  partialRefundRefusal,
} from './rules.ts';
import * as store from './store.ts';

export type ComplaintDependencies = Pick<Context, 'database' | 'enqueue' | 'cache'> & PhotoDependencies;

/** A statement's photos have one error together. */
export const photoField = () => 'photos';

/** A locked order with its latest complaint. */
interface Case {
  order: OrderedLaptop;
  complaint: Row<'complaints'>;
  /** Oldest first. */
  statements: Row<'complaint_statements'>[];
}

/** Locks an order and reads its latest complaint. @throws Refusal when the order is not the caller's or has none */
export async function selectCaseForUpdate(
  transaction: Transaction,
  orderId: string,
  isAllowed: (order: OrderedLaptop) => boolean,
): Promise<Case & { isOpen: boolean }> {
  const order = await selectOrderForUpdate(transaction, orderId);
  if (order === undefined || !isAllowed(order)) throw orderNotFound();
  const complaints = await store.complaintsOf(transaction, orderId);
  const [complaint] = complaints;
  if (complaint === undefined) throw orderStateChanged(order);
  const statements = await store.statementsOf(transaction, [complaint.id]);
  return { order, complaint, statements, isOpen: isOpen(order, complaint, complaints) };
}

/** Makes a move of an order with a complaint. @returns null when it is not possible */
export async function moveComplaint(
  transaction: Transaction,
  enqueue: Enqueue,
  { order, complaint }: { order: OrderedLaptop; complaint: Pick<Row<'complaints'>, 'kind'> },
  {
    move,
    amountCents,
    isByParcel,
  }: { move: OrderMove; amountCents?: number | undefined; isByParcel?: boolean },
): Promise<MoveResult | null> {
  const isWithBuyer = isWithBuyerAfter(move, complaint.kind);
  const moved = await moveOrder(transaction, enqueue, order, move, { amountCents, isWithBuyer, isByParcel });
  if (moved?.to === 'contested') await enqueue(transaction, complaintContested, { orderId: order.id });
  return moved;
}

/** @throws Refusal for an amount that does not fit the order or the present offer */
function requireAmount({ order, statements }: Case, { move, amount }: AnswerInput): void {
  if (amount === undefined) return;
  if (move === 'take_offer') {
    if (amount !== latestOffer(statements))
      throw new Refusal('price_differs', offerChangedMessage(statements));
    return;
  }
  const refusal = partialRefundRefusal(order, amount);
  if (refusal === null) return;
  throw new Refusal('invalid_input', `${refusal}. Nothing was changed.`, { errors: { amount: refusal } });
}

/** The answer of a request. */
interface AnswerInput {
  move: ComplaintMove;
  /** In cents. */
  amount?: number | undefined;
  text?: string | undefined;
  photos?: readonly string[] | undefined;
  /** Whether the laptop that returned by parcel is damaged. */
  isDamaged?: boolean | undefined;
  /** The parcel in which the laptop returns. */
  parcel?: TrackedParcel | undefined;
}

/** Who answers. An admin decides about every order. */
interface Author {
  party: Party;
  userId: string;
}

const isAllowed = ({ party, userId }: Author, { buyer_id, seller_id }: OrderedLaptop): boolean =>
  party === 'admin' || userId === (party === 'buyer' ? buyer_id : seller_id);

const isDecision = (move: ComplaintMove): move is (typeof contract.decisionsOfComplaint)[number] =>
  move.startsWith('decide_');

/** Makes the move of an answer, and stores its statement. @returns false when it was made before @throws Refusal */
async function applyAnswer(
  transaction: Transaction,
  { enqueue }: Pick<ComplaintDependencies, 'enqueue'>,
  orderId: string,
  { author, answer, photos }: { author: Author; answer: AnswerInput; photos: readonly string[] },
): Promise<boolean> {
  const found = await selectCaseForUpdate(transaction, orderId, (order) => isAllowed(author, order));
  const { order, complaint, statements } = found;
  if (author.party === 'admin') requireUninvolved(author, order.buyer_id, order.seller_id);
  const { move, amount, text = '' } = answer;
  if (!found.isOpen || stateAfter(order, move) === null) {
    if (isRepeated(statements, author.party, answer)) return false;
    throw orderStateChanged(order);
  }
  requireAmount(found, answer);
  const refusal = answerRefusal(statements, move, complaint.kind);
  if (refusal !== null) throw new Refusal('complaint_refused', refusal);
  await keepHostedPhotos(transaction, photos, photoField);
  const { parcel } = answer;
  if (parcel !== undefined && !(await insertParcel(transaction, orderId, { ...parcel, way: 'back' }))) {
    throw trackedElsewhere('parcel.trackingNumber');
  }
  await moveComplaint(transaction, enqueue, found, {
    move,
    amountCents: amount,
    isByParcel: parcel !== undefined,
  });
  if (answer.isDamaged) await openDamageClaim(transaction, orderId, 'back');
  if (parcel !== undefined) await markNumberUsed(transaction, order, parcel.trackingNumber);
  await store.insertStatement(transaction, {
    complaint_id: complaint.id,
    nth: statements.length + 1,
    party: author.party,
    author_id: author.userId,
    move,
    text,
    amount_cents: amount ?? null,
    photos: [...photos],
  });
  if (isDecision(move)) {
    await recordAudit(transaction, {
      adminId: author.userId,
      act: 'Decided complaint',
      laptopId: order.laptop_id,
      subject: paymentSubject(order.laptop_name, order.transaction_id),
      note: decisionNote(move, amount, text),
    });
  }
  return true;
}

/** Makes a move about a complaint for a person of an order, or for an admin. @returns false when it was made before @throws Refusal */
export async function answerComplaint(
  dependencies: ComplaintDependencies,
  author: Author,
  orderId: string,
  answer: AnswerInput,
): Promise<boolean> {
  // Before the transaction, because it reads the photo storage.
  const photos = await requireHostedPhotos(dependencies, answer.photos ?? [], photoField);
  const isNew = await dependencies.database
    .transaction()
    .execute((transaction) => applyAnswer(transaction, dependencies, orderId, { author, answer, photos }));
  // So that the seller’s next read shows a returned laptop.
  await dependencies.cache.waitForInvalidation();
  return isNew;
}
