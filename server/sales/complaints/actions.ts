import type { Complaint, ComplaintKind } from '#contract/sales/complaints.ts';
import { keepHostedPhotos } from '#server/listings/catalogue/steps.ts';
import { lockAccountKeys } from '#server/people/accounts/steps.ts';
import { inSnapshot } from '#server/platform/database/snapshot.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { findReadableOrder, lockOwnOrder, roleInOrder } from '../orders/actions.ts';
import { orderNotFound, orderStateChanged } from '../orders/refusals.ts';
import { stateAfter } from '../orders/rules.ts';
import { findOrder, moveOrder, selectOrderForUpdate, updateOrder } from '../orders/steps.ts';
import { type ComplaintDependencies, moveComplaint, photoField, selectCaseForUpdate } from './answers.ts';
import { statementAdded } from './notifications.ts';
import { complaintRefusal, isOpen, statementRefusal, toComplaint } from './rules.ts';
import * as store from './store.ts';

/** The content of a statement. */
interface StatementContent {
  text: string;
  /** In their stored form, from `requireHostedPhotos`. */
  photos: readonly string[];
}

/** Complains about an order. @returns the complaint's id @throws Refusal */
export async function complain(
  transaction: Transaction,
  { enqueue }: Pick<ComplaintDependencies, 'enqueue'>,
  caller: Caller,
  orderId: string,
  { kind, text, photos }: StatementContent & { kind: ComplaintKind },
): Promise<string> {
  const unlocked = await findOrder(transaction, orderId);
  if (unlocked === undefined || unlocked.buyer_id !== caller.userId) throw orderNotFound();
  // Neither account can end before the complaint is stored, and not afterwards while it is open.
  await lockAccountKeys(transaction, [unlocked.buyer_id, unlocked.seller_id]);
  const order = await selectOrderForUpdate(transaction, orderId);
  if (order === undefined) throw orderNotFound();
  if (stateAfter(order, 'complain') === null) throw orderStateChanged(order);
  const earlier = await store.complaintsOf(transaction, orderId);
  const refusal = complaintRefusal(order, earlier.length, kind);
  if (refusal !== null) throw new Refusal('complaint_refused', refusal);
  await keepHostedPhotos(transaction, photos, photoField);
  const id = await store.insertComplaint(transaction, {
    order_id: orderId,
    nth: earlier.length + 1,
    kind,
  });
  await moveComplaint(transaction, enqueue, { order, complaint: { kind } }, { move: 'complain' });
  await store.insertStatement(transaction, {
    complaint_id: id,
    nth: 1,
    party: 'buyer',
    author_id: caller.userId,
    move: 'complain',
    text,
    amount_cents: null,
    photos: [...photos],
  });
  return id;
}

/** Adds a statement to an open complaint. @returns the statement's id @throws Refusal */
export async function addStatement(
  transaction: Transaction,
  { enqueue }: Pick<ComplaintDependencies, 'enqueue'>,
  caller: Caller,
  orderId: string,
  { text, photos }: StatementContent,
): Promise<string> {
  const found = await selectCaseForUpdate(
    transaction,
    orderId,
    (order) => roleInOrder(order, caller, ['complaints']) !== null,
  );
  const { order, complaint, statements } = found;
  const party = roleInOrder(order, caller, ['complaints']);
  if (party === null) throw orderNotFound();
  if (!found.isOpen) throw orderStateChanged(order);
  const refusal = statementRefusal(statements, party);
  if (refusal !== null) throw new Refusal('complaint_refused', refusal);
  await keepHostedPhotos(transaction, photos, photoField);
  const statementId = await store.insertStatement(transaction, {
    complaint_id: complaint.id,
    nth: statements.length + 1,
    party,
    author_id: caller.userId,
    move: null,
    text,
    amount_cents: null,
    photos: [...photos],
  });
  await enqueue(transaction, statementAdded, { statementId });
  return statementId;
}

/** Cancels a sale for its seller. @returns false when it was cancelled before @throws Refusal */
export async function cancelSale(
  { database, enqueue, cache }: ComplaintDependencies,
  caller: Caller,
  orderId: string,
  reason: string,
): Promise<boolean> {
  const isNew = await database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, orderId, 'seller');
    if (order.cancel_reason !== null) return false;
    if ((await moveOrder(transaction, enqueue, order, 'cancel')) === null) throw orderStateChanged(order);
    await updateOrder(transaction, orderId, { cancel_reason: reason });
    return true;
  });
  await cache.waitForInvalidation();
  return isNew;
}

/** The complaints about an order, newest first, see {@link findReadableOrder}. @throws Refusal */
export function readComplaints(
  database: Database,
  caller: Caller,
  orderId: string,
  photoUrl: (photo: string) => string,
): Promise<Complaint[]> {
  return inSnapshot(database, async (reader) => {
    const { order } = await findReadableOrder(reader, caller, orderId);
    const complaints = await store.complaintsOf(reader, orderId);
    const statements = Map.groupBy(
      await store.statementsOf(
        reader,
        complaints.map(({ id }) => id),
      ),
      ({ complaint_id }) => complaint_id,
    );
    return complaints.map((complaint) =>
      toComplaint(
        order,
        { ...complaint, isOpen: isOpen(order, complaint, complaints) },
        statements.get(complaint.id) ?? [],
        photoUrl,
      ),
    );
  });
}
