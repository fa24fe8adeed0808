import { recipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import type { PaymentDependencies } from './actions.ts';
import type { CardRefund } from './cards.ts';
import type { FollowUpDependencies } from './follow-up.ts';
import * as mails from './mails.ts';
import * as refundStore from './refund-store.ts';
import { inWords, moneySubject, tomorrow } from './rules.ts';
import { refunded, refundFailed } from './steps.ts';
import * as store from './store.ts';

/** The key that makes an attempt's refund once. The first one's is that of before there were others. */
const keyOf = ({ id, attempt }: refundStore.RefundRow) =>
  attempt === 1 ? `refund-${id}` : `refund-${id}-${attempt}`;

/**
 * Writes down how the card processor says that a refund stands, and has its buyer and the admins told. An outdated
 * answer changes nothing.
 */
export async function applyRefund(
  { database, enqueue, record }: Pick<PaymentDependencies, 'database' | 'enqueue' | 'record'>,
  refund: refundStore.RefundRow,
  card: Pick<CardRefund, 'status' | 'failureReason'>,
): Promise<void> {
  if (card.status === 'pending') return;
  const booking = await findBooking(database, refund.booking_id);
  const subject = moneySubject(booking?.laptop_name ?? 'A laptop', refund.transaction_id);
  const amount = mails.dollars(refund.amount_cents);
  await database.transaction().execute(async (transaction) => {
    if (card.status === 'succeeded') {
      if (!(await refundStore.finishRefund(transaction, refund, tomorrow(new Date())))) return;
      await enqueue(transaction, refunded, { refundId: refund.id });
      // Of a first attempt nobody is waiting to hear that it went as it should.
      if (refund.attempt === 1) return;
      const note = `${amount}, attempt ${refund.attempt}`;
      return record(transaction, { act: 'Refund went through', subject, note });
    }
    const failureReason = card.failureReason ?? 'unknown';
    if (!(await refundStore.failRefund(transaction, refund, failureReason))) return;
    const note = `${amount}, attempt ${refund.attempt}: ${inWords(failureReason)}`;
    await record(transaction, { act: 'Refund failed', subject, note });
    const told = [null, ...(await store.livingAdmins(transaction)).map(({ id }) => id)];
    for (const adminId of told) {
      await enqueue(transaction, refundFailed, { refundId: refund.id, failureReason, adminId });
    }
  });
}

/**
 * Gives money back at the card provider unless it has been asked to already, asks how that stands, and takes it over.
 * May be done at any time, any number of times. @throws CardProcessorAway
 */
export async function lookAfterRefund(dependencies: PaymentDependencies, refundId: string): Promise<void> {
  const { database, cards } = dependencies;
  const refund = await refundStore.findRefundById(database, refundId);
  if (refund === undefined || refund.state === 'failed') return;
  let cardRefundId = refund.card_refund_id;
  if (cardRefundId === null) {
    // Given back by a version that did not ask for its name.
    if (refund.state === 'done') return;
    const made = await cards.refund({
      transactionId: refund.transaction_id,
      amountCents: refund.amount_cents,
      idempotencyKey: keyOf(refund),
    });
    if (made.refundId === null) return applyRefund(dependencies, refund, made);
    cardRefundId = made.refundId;
    await refundStore.nameRefund(database, refund, cardRefundId);
  }
  const card = await cards.readRefund(cardRefundId);
  if (card !== null) return applyRefund(dependencies, refund, card);
  // The card provider has never heard of it: what is not done will not be, and what was done is done.
  if (refund.state === 'pending') {
    return applyRefund(dependencies, refund, {
      status: 'failed',
      failureReason: 'unknown_to_the_card_processor',
    });
  }
}

/** An event says that something happened to a refund: asks what is true of the one that counts now. */
export async function followRefundEvent(
  dependencies: PaymentDependencies,
  { transactionId, cardRefundId }: { transactionId: string; cardRefundId: string },
): Promise<void> {
  const { database, cards } = dependencies;
  const refund = await refundStore.findRefund(database, transactionId);
  if (refund === undefined) return;
  if (refund.card_refund_id === null) {
    // The event was faster than the answer, whoever waits for that asks at once; or it is about an earlier attempt.
    if (refund.state !== 'done') return;
    const card = await cards.readRefund(cardRefundId);
    if (card?.transactionId !== transactionId) return;
    await refundStore.nameRefund(database, refund, cardRefundId);
  }
  await lookAfterRefund(dependencies, refund.id);
}

/** Mails a buyer that money went back, unless it has come back to the shop since. */
export async function tellRefunded(
  { database, mailer, origin }: FollowUpDependencies,
  refundId: string,
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking || refund.state !== 'done') return;
  await mailer.send(mails.refundedMail(booking, refund, origin));
}

/** Mails the buyer, or an admin, that a refund has failed. */
export async function tellRefundFailed(
  { database, mailer, origin }: FollowUpDependencies,
  { refundId, failureReason, adminId }: { refundId: string; failureReason: string; adminId: string | null },
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking) return;
  if (adminId === null) return mailer.send(mails.refundFailedMail(booking, refund, origin));
  const admin = await findUser(database, adminId);
  if (admin === null) return;
  await mailer.send(
    mails.refundFailedMailToAdmin(recipient(admin), { booking, refund, failureReason }, origin),
  );
}
