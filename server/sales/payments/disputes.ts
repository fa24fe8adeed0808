import * as z from 'zod/mini';
import type { CardProcessorAction } from '#contract/people/audit.ts';
import { formatCents } from '#contract/platform/money.ts';
import {
  disputeLostPosting,
  disputeOpenedPosting,
  disputeReinstatedPosting,
  disputeWonPosting,
  takenBackOf,
} from '#server/money/ledger/rules.ts';
import { lockSellerBalance, post } from '#server/money/ledger/steps.ts';
import { isPaymentApplied } from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import { formatUtc } from '#server/people/notifications/rules.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import { type OrderedLaptop, toLedgerOrder } from '../orders/rules.ts';
import {
  findOrderIdOfPayment,
  moveOrder,
  recordPartialRefund,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import { applyStatus } from './attempts.ts';
import type { CardDispute } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { type DisputeUpdate, disputeChanged } from './dispute-notifications.ts';
import * as disputeStore from './dispute-store.ts';
import { retryDisputedRefunds } from './refunds.ts';
import { recordRefundsByBank, recordRefundsTakenBack } from './refunds-by-bank.ts';
import { formatReason, paymentSubject } from './rules.ts';
import type { DisputeState } from './states.ts';
import { recordUnknownRefunds } from './unknown-refunds.ts';

/**
 * The booking of a disputed payment, from its intent; undefined when the intent is none of this shop's. A payment that is not applied
 * yet gets its result first: its event can arrive later than that of its dispute, and an order that opened afterwards would be released.
 */
async function bookingOf(
  dependencies: PaymentDependencies,
  transactionId: string,
): Promise<BookedLaptop | undefined> {
  const { database, cards } = dependencies;
  const intent = await cards.readIntent(transactionId);
  if (intent !== null && !(await isPaymentApplied(database, transactionId)))
    await applyStatus(dependencies, intent);
  const id = z.safeParse(z.uuid(), intent?.bookingId);
  return id.success ? findBooking(database, id.data) : undefined;
}

/** A dispute of a payment, with the payment's name in the audit trail. */
type DisputeOfPayment = CardDispute & { transactionId: string; subject: string };

/** Posts what a dispute moves. @returns the part of a lost dispute that its order gives back, in cents */
async function postDispute(
  transaction: Transaction,
  { disputeId, transactionId, amountCents, state, subject }: DisputeOfPayment,
  order: OrderedLaptop | undefined,
): Promise<number> {
  // An inquiry moves no money.
  if (state === 'inquiry' || state === 'inquiry_closed') return 0;
  await post(transaction, disputeOpenedPosting(disputeId, amountCents));
  if (state === 'won') await post(transaction, disputeWonPosting(disputeId, amountCents));
  if (state !== 'lost') return 0;
  // Before the refunds that wait, as when they go on: then the two never wait for each other.
  if (order !== undefined) await lockSellerBalance(transaction, order.seller_id);
  const paidByBankCents = await recordRefundsByBank(transaction, { transactionId, amountCents }, subject);
  const ledgerOrder = order === undefined ? null : toLedgerOrder(order);
  await post(transaction, disputeLostPosting(disputeId, amountCents, ledgerOrder, paidByBankCents));
  return ledgerOrder === null ? 0 : takenBackOf(ledgerOrder, amountCents, paidByBankCents);
}

/**
 * Applies a dispute that was opened or changed its state to the order of its payment and to the ledger: the order waits until
 * the bank has decided about all disputes of the payment, and afterwards goes on or is charged back. What is paid to the seller
 * meanwhile follows from the order's state (`server/money/payouts/`).
 * @param from the state before; null for a new dispute
 */
async function applyToOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  dispute: DisputeOfPayment,
  from: DisputeState | null,
): Promise<void> {
  const { disputeId, transactionId, amountCents, state } = dispute;
  const orderId = await findOrderIdOfPayment(transaction, transactionId);
  // Its lock orders the disputes of one payment.
  const order = orderId === null ? undefined : await selectOrderForUpdate(transaction, orderId);
  if (from === 'lost') {
    // The order has ended, and its laptop may have been sold again: what paid no refund belongs to nobody until an admin decides.
    const owedCents = await recordRefundsTakenBack(transaction, dispute, dispute.subject);
    await post(transaction, disputeReinstatedPosting(disputeId, amountCents, owedCents));
    return;
  }
  const takenBackCents = await postDispute(transaction, dispute, order);
  if (order === undefined) return;
  if (state === 'inquiry' || state === 'disputed') {
    await moveOrder(transaction, enqueue, order, 'dispute');
    return;
  }
  const others = await disputeStore.findOtherDisputes(transaction, { transactionId, disputeId });
  if (others.isOpen || order.state === 'charged_back') {
    if (takenBackCents > 0) {
      const taken = { event: 'lose_dispute', actor: 'bank', amountCents: takenBackCents } as const;
      await recordPartialRefund(transaction, order, taken);
    }
  } else if (state === 'lost' || others.wasLost) {
    await moveOrder(transaction, enqueue, order, 'lose_dispute', { amountCents: takenBackCents });
  } else {
    await moveOrder(transaction, enqueue, order, 'win_dispute');
  }
}

/** Reads a dispute's current state and applies it to the order and the ledger. @throws CardProcessorUnavailable */
export async function reconcileDispute(
  dependencies: PaymentDependencies,
  cardDisputeId: string,
): Promise<void> {
  const dispute = await dependencies.cards.readDispute(cardDisputeId);
  if (dispute === null || dispute.transactionId === null) return;
  const booking = await bookingOf(dependencies, dispute.transactionId);
  if (booking === undefined) return;
  // What an operator refunded since is not refunded again below.
  if (dispute.state === 'won') await recordUnknownRefunds(dependencies, dispute.transactionId);
  await applyDispute(dependencies, booking, dispute);
}

/** The state in which a dispute was opened, from the first state that the shop learns. */
const openingStateOf = (state: CardDispute['state']): DisputeState =>
  state === 'inquiry' || state === 'inquiry_closed' ? 'inquiry' : 'disputed';

/** The audit action and the email for reaching each state. */
const updateOf = {
  inquiry: null,
  inquiry_closed: { act: 'Inquiry closed', tell: 'closed' },
  disputed: { act: 'Dispute escalated', tell: 'escalated' },
  won: { act: 'Dispute won', tell: 'closed' },
  lost: { act: 'Dispute lost', tell: 'closed' },
} as const satisfies Record<CardDispute['state'], { act: CardProcessorAction; tell: DisputeUpdate } | null>;

/**
 * Applies the card processor's state to a dispute and to its order. Its opening and each later state are recorded once in the audit
 * trail and emailed once to each admin. An outdated state changes nothing.
 */
export async function applyDispute(
  { database, enqueue }: Pick<PaymentDependencies, 'database' | 'enqueue'>,
  booking: BookedLaptop,
  dispute: CardDispute,
): Promise<void> {
  const { disputeId, transactionId, amountCents, reason, state, evidenceDueAt } = dispute;
  if (transactionId === null) return;
  const subject = paymentSubject(booking.laptop_name, transactionId);
  const about = `${formatCents(amountCents)}, ${formatReason(reason)}`;
  const until =
    evidenceDueAt === null ? 'no evidence asked for' : `evidence until ${formatUtc(evidenceDueAt)}`;
  const facts = { amount_cents: amountCents, reason, evidence_due_at: evidenceDueAt };

  await database.transaction().execute(async (transaction) => {
    const opening = openingStateOf(state);
    const openedId = await disputeStore.openDispute(transaction, {
      card_dispute_id: disputeId,
      booking_id: booking.id,
      transaction_id: transactionId,
      state: opening,
      ...facts,
    });
    if (openedId !== null) {
      const kind = opening === 'inquiry' ? '; an inquiry' : '';
      await recordAudit(transaction, { act: 'Dispute opened', subject, note: `${about}${kind}; ${until}` });
      await enqueue(transaction, disputeChanged, { disputeId: openedId, tell: 'opened' });
    }
    const update = updateOf[state];
    const closed_at = update?.tell === 'closed' ? new Date() : null;
    const advanced = await disputeStore.advanceDispute(transaction, disputeId, {
      state,
      closed_at,
      ...facts,
    });
    if (openedId !== null || advanced !== null) {
      await applyToOrder(
        transaction,
        enqueue,
        { ...dispute, transactionId, subject },
        advanced?.from ?? null,
      );
      if (state === 'won' || state === 'inquiry_closed') {
        await retryDisputedRefunds(transaction, enqueue, transactionId);
      }
    }
    if (advanced === null || update === null) return;
    if (advanced.from === 'lost') {
      const note = `${about}; it was lost before, and the money came back`;
      await recordAudit(transaction, { act: update.act, subject, note });
      await enqueue(transaction, disputeChanged, { disputeId: advanced.id, tell: 'reinstated' });
      return;
    }
    const note = update.tell === 'escalated' ? `${about}; ${until}` : about;
    await recordAudit(transaction, { act: update.act, subject, note });
    await enqueue(transaction, disputeChanged, { disputeId: advanced.id, tell: update.tell });
  });
}
