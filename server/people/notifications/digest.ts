import * as z from 'zod/mini';
import { renderEmail } from '#emails/email.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { toEmailShop } from '../email-shop.ts';
import * as store from './digest-store.ts';
import type { NotifierDependencies } from './notifier.ts';
import { digestSubject, MAXIMUM_LISTED, SETTINGS_PATH } from './rules.ts';

/** Notifications whose emails are enqueued by one transaction. */
const PAGE_ROWS = 100;

/** A daily email is due. */
export const digestDue = job(
  'notifications.digest-due',
  z.object({ digestId: z.string(), userId: z.string() }),
);

/** Enqueues the daily emails that are due. */
export async function enqueueDueDigests(
  database: Database,
  enqueue: Enqueue,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const digests = await database.transaction().execute(async (transaction) => {
      const taken = await store.takeDue(transaction, PAGE_ROWS);
      for (const digest of taken) await enqueue(transaction, digestDue, digest);
      return taken;
    });
    if (digests.length === 0) return;
  }
}

/** Sends a daily email with those of its notifications that were not seen. */
export async function sendDigest(
  { database, emailSender, origin, unsubscribeLinks, shop }: NotifierDependencies,
  { digestId, userId }: store.Digest,
): Promise<void> {
  const user = await findUser(database, userId);
  if (user === undefined || user.ended_at !== null) return;
  const { oldest: listed, count } = await store.unseenOf(database, digestId, MAXIMUM_LISTED);
  if (listed.length > 0) {
    const others = count - listed.length;
    const url = unsubscribeLinks.urlOfTopic(userId, 'daily');
    await emailSender.send({
      ...renderEmail(
        {
          to: toRecipient(user),
          subject: digestSubject(count),
          paragraphs: [`This is what happened at ${shop().name} since your last daily email.`],
          items: listed.map(({ title, path, body }) => ({ title, url: `${origin}${path}`, details: body })),
          ...(others > 0 && { afterItems: `And ${others} more.` }),
          action: { label: 'See all notifications', url: `${origin}${SETTINGS_PATH}` },
          unsubscribe: {
            reason: 'You receive this email because you chose daily emails for some notifications.',
            label: 'Stop daily emails',
            url,
          },
        },
        toEmailShop(shop()),
      ),
      unsubscribe: { url },
      id: digestId,
    });
  }
  // A process that is killed before this sends the email again, with the same id.
  await store.recordSent(database, digestId);
}
