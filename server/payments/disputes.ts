import * as z from 'zod/mini';
import type { CardAct } from '#contract/moderation.ts';
import { recipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { PaymentDependencies } from './actions.ts';
import type { CardDispute } from './cards.ts';
import { disputeClosedMail, disputeEscalatedMail, disputeOpenedMail } from './dispute-mails.ts';
import * as disputeStore from './dispute-store.ts';
import type { FollowUpDependencies } from './follow-up.ts';
import * as mails from './mails.ts';
import { inWords, moneySubject } from './rules.ts';
import type { DisputeState } from './states.ts';
import { type DisputeLetter, disputeNews } from './steps.ts';
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
 * Something happened to a dispute: asks how it stands now and applies that. The sale stays as it is.
 * @throws CardProcessorAway
 */
export async function followDispute(dependencies: PaymentDependencies, cardDisputeId: string): Promise<void> {
  const dispute = await dependencies.cards.readDispute(cardDisputeId);
  if (dispute === null || dispute.transactionId === null) return;
  const booking = await bookingOf(dependencies, dispute.transactionId);
  if (booking !== null) await applyDispute(dependencies, booking, dispute);
}

/** In which state a dispute was opened that is heard of for the first time. */
const openingOf = (state: CardDispute['state']): DisputeState =>
  state === 'inquiry' || state === 'inquiry_closed' ? 'inquiry' : 'chargeback';

/** What the audit trail calls a dispute's coming to a state, and which letter tells of it. */
const newsOf = {
  inquiry: null,
  inquiry_closed: { act: 'Inquiry closed', tell: 'closed' },
  chargeback: { act: 'Dispute escalated', tell: 'escalated' },
  won: { act: 'Dispute won', tell: 'closed' },
  lost: { act: 'Dispute lost', tell: 'closed' },
} as const satisfies Record<CardDispute['state'], { act: CardAct; tell: DisputeLetter } | null>;

/**
 * Writes down how the card processor says that a dispute stands: once when it opens, once for each later state. Each
 * is recorded in the audit trail and told to the admins. An outdated answer changes nothing.
 */
export async function applyDispute(
  { database, enqueue, record }: Pick<PaymentDependencies, 'database' | 'enqueue' | 'record'>,
  booking: BookedLaptop,
  dispute: CardDispute,
): Promise<void> {
  const { disputeId, transactionId, amountCents, reason, state, evidenceDueAt } = dispute;
  if (transactionId === null) return;
  const subject = moneySubject(booking.laptop_name, transactionId);
  const about = `${mails.dollars(amountCents)}, ${inWords(reason)}`;
  const until =
    evidenceDueAt === null ? 'no evidence asked for' : `evidence until ${mails.moment(evidenceDueAt)}`;
  const facts = { amount_cents: amountCents, reason, evidence_due_at: evidenceDueAt };

  await database.transaction().execute(async (transaction) => {
    const tell = async (id: string, letter: DisputeLetter) => {
      for (const { id: adminId } of await store.livingAdmins(transaction)) {
        await enqueue(transaction, disputeNews, { disputeId: id, tell: letter, adminId });
      }
    };
    const opening = openingOf(state);
    const opened = await disputeStore.openDispute(transaction, {
      card_dispute_id: disputeId,
      booking_id: booking.id,
      transaction_id: transactionId,
      state: opening,
      ...facts,
    });
    if (opened !== null) {
      const kind = opening === 'inquiry' ? '; an inquiry' : '';
      await record(transaction, { act: 'Dispute opened', subject, note: `${about}${kind}; ${until}` });
      await tell(opened, 'opened');
    }
    const closed_at = newsOf[state]?.tell === 'closed' ? new Date() : null;
    const advanced = await disputeStore.advanceDispute(transaction, disputeId, {
      state,
      closed_at,
      ...facts,
    });
    // A dispute from before inquiries were told from chargebacks: that it was opened has been told.
    if (advanced === null || (advanced.from === 'open' && closed_at === null)) return;
    const news = newsOf[state];
    if (news === null) return;
    const note = news.tell === 'escalated' ? `${about}; ${until}` : about;
    await record(transaction, { act: news.act, subject, note });
    await tell(advanced.id, news.tell);
  });
}

const mailsOf = {
  opened: disputeOpenedMail,
  escalated: disputeEscalatedMail,
  closed: disputeClosedMail,
} as const;

/** Mails an admin that a payment is disputed and what to do, that this got worse, or how it has ended. */
export async function tellDispute(
  { database, mailer, origin }: FollowUpDependencies,
  { disputeId, tell, adminId }: { disputeId: string; tell: DisputeLetter; adminId: string },
): Promise<void> {
  const dispute = await disputeStore.findDispute(database, disputeId);
  const booking = dispute && (await findBooking(database, dispute.booking_id));
  const admin = await findUser(database, adminId);
  if (!dispute || !booking || admin === null) return;
  // The opposite has become true since: what there was to do cannot be done any more, or there is more to do.
  if ((tell === 'closed') === (dispute.closed_at === null)) return;
  await mailer.send(mailsOf[tell](recipient(admin), { booking, dispute }, origin));
}
