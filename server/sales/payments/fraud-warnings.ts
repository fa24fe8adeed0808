import * as z from 'zod/mini';
import { recordAudit } from '#server/people/audit/steps.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findBooking } from '../bookings/steps.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { fraudWarned } from './dispute-notifications.ts';
import { insertFraudWarning } from './dispute-store.ts';
import { formatReason, paymentSubject } from './rules.ts';

/** The card processor sent an event about an early fraud warning. Handled by {@link handleFraudWarning}. */
export const fraudWarningEvent = job(
  'payments.fraud-warning-event',
  z.object({ warningId: z.string() }),
  'cards',
);

/**
 * Records an early fraud warning of a payment of this shop in the audit trail, and tells each admin once. It moves no money: most
 * warnings become disputes, but only an admin can see whether the laptop was handed over to the cardholder.
 * @throws CardProcessorUnavailable
 */
export async function handleFraudWarning(
  { database, enqueue, cards }: PaymentDependencies,
  warningId: string,
): Promise<void> {
  const warning = await cards.readFraudWarning(warningId);
  const transactionId = warning?.transactionId ?? null;
  if (warning === null || transactionId === null) return;
  const bookingId = z.safeParse(z.uuid(), (await cards.readIntent(transactionId))?.bookingId);
  const booking = bookingId.success ? await findBooking(database, bookingId.data) : undefined;
  if (booking === undefined) return;
  await database.transaction().execute(async (transaction) => {
    const isNew = await insertFraudWarning(transaction, {
      warning_id: warningId,
      booking_id: booking.id,
      transaction_id: transactionId,
      fraud_type: warning.fraudType,
    });
    if (!isNew) return;
    await recordAudit(transaction, {
      act: 'Fraud warning',
      subject: paymentSubject(booking.laptop_name, transactionId),
      note: `${formatReason(warning.fraudType)}${warning.isActionable ? '' : '; refunded or disputed already'}`,
    });
    if (warning.isActionable) await enqueue(transaction, fraudWarned, { warningId });
  });
}
