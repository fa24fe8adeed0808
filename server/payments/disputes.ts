import * as z from 'zod/mini';
import { findUser } from '../accounts/steps.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { PaymentDependencies } from './actions.ts';
import * as disputeStore from './dispute-store.ts';
import type { FollowUpDependencies } from './follow-up.ts';
import * as mails from './mails.ts';
import { inWords, moneySubject } from './rules.ts';
import { disputeNews } from './steps.ts';
import * as store from './store.ts';

/** The booking that a payment was made for, as its intent says; null when it is none of this shop's. */
async function bookingOf(
  { database, cards }: PaymentDependencies,
  transactionId: string,
): Promise<BookedLaptop | null> {
  const intent = await cards.readIntent(transactionId);
  const id = z.safeParse(z.uuid(), intent?.bookingId);
  return id.success ? findBooking(database, id.data) : null;
}

/**
 * Something happened to a dispute: asks what is true now, writes it down once when it opens and once when it closes,
 * and has the admins told. The sale stays as it is. @throws CardProcessorAway
 */
export async function followDispute(dependencies: PaymentDependencies, cardDisputeId: string): Promise<void> {
  const { database, cards, enqueue, record } = dependencies;
  const card = await cards.readDispute(cardDisputeId);
  if (card === null || card.transactionId === null) return;
  const { transactionId, reason, state, evidenceDueAt } = card;
  const booking = await bookingOf(dependencies, transactionId);
  if (booking === null) return;
  const subject = moneySubject(booking.laptop_name, transactionId);
  const about = `${mails.dollars(card.amountCents)}, ${inWords(reason)}`;

  await database.transaction().execute(async (transaction) => {
    const tell = async (disputeId: string, news: 'opened' | 'closed') => {
      for (const { id: adminId } of await store.livingAdmins(transaction)) {
        await enqueue(transaction, disputeNews, { disputeId, tell: news, adminId });
      }
    };
    const opened = await disputeStore.openDispute(transaction, {
      card_dispute_id: cardDisputeId,
      booking_id: booking.id,
      transaction_id: transactionId,
      amount_cents: card.amountCents,
      reason,
      evidence_due_at: evidenceDueAt,
    });
    if (opened !== null) {
      const until =
        evidenceDueAt === null ? 'no evidence asked for' : `evidence until ${mails.moment(evidenceDueAt)}`;
      await record(transaction, { act: 'Dispute opened', subject, note: `${about}; ${until}` });
      await tell(opened, 'opened');
    }
    if (state === 'open') return;
    const closed = await disputeStore.closeDispute(transaction, cardDisputeId, state);
    if (closed === null) return;
    const act = state === 'won' ? 'Dispute won' : 'Dispute lost';
    await record(transaction, { act, subject, note: about });
    await tell(closed, 'closed');
  });
}

/** Mails an admin that a payment is disputed and what to do, or how that has ended. */
export async function tellDispute(
  { database, mailer, origin }: FollowUpDependencies,
  { disputeId, tell, adminId }: { disputeId: string; tell: 'opened' | 'closed'; adminId: string },
): Promise<void> {
  const dispute = await disputeStore.findDispute(database, disputeId);
  const booking = dispute && (await findBooking(database, dispute.booking_id));
  const admin = await findUser(database, adminId);
  if (!dispute || !booking || admin === null) return;
  // Heard of only when all was over: what there was to do cannot be done any more.
  if (tell === 'opened' && dispute.state !== 'open') return;
  const mail = tell === 'opened' ? mails.disputeOpenedMail : mails.disputeClosedMail;
  await mailer.send(mail(admin, { booking, dispute }, origin));
}
