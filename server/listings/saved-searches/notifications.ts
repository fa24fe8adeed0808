import * as z from 'zod/mini';
import { toRecipient } from '#server/people/accounts/rules.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { UnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { createLaptopMatcher } from '../search/rules.ts';
import * as emailStore from './email-store.ts';
import type { IsKnown } from './match-changes.ts';
import { alertText, alertUnsubscribe } from './notification-texts.ts';
import * as store from './store.ts';

/** Emails that are enqueued by one transaction. */
const PAGE_EMAILS = 50;

/** Emails that are enqueued in one run of the task, so that the queue stays short; the next run continues. */
const MAXIMUM_EMAILS = 2_000;

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
  unsubscribeLinks: UnsubscribeLinks;
  isKnown: IsKnown;
}

/** The alerts of a search are to be emailed. Queued jobs have this name. */
export const alertsDue = job(
  'saved-searches.news-due',
  z.object({ searchId: z.string(), emailId: z.string() }),
);

/** Enqueues the emails that are due. @returns their number */
export async function enqueueDueEmails(
  database: Database,
  enqueue: Enqueue,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { emails, searches } = await database.transaction().execute(async (transaction) => {
      const taken = await emailStore.takeDueAlerts(transaction, PAGE_EMAILS);
      for (const email of taken.emails) await enqueue(transaction, alertsDue, email);
      return taken;
    });
    total += emails.length;
    if (searches < PAGE_EMAILS || total >= MAXIMUM_EMAILS) return total;
  }
}

/**
 * Notifies the owner of a search about its alerts, unless there are none left: laptops that were sold, do not match any more, or
 * whose price rose again are left out.
 */
export async function notifyOwner(
  { database, notifier, unsubscribeLinks, isKnown }: NotificationDependencies,
  { searchId, emailId }: { searchId: string; emailId: string },
): Promise<void> {
  const search = await store.find(database, searchId);
  if (search === undefined || search.paused_at !== null) return;
  const user = await findUser(database, search.user_id);
  if (user === undefined || user.ended_at !== null) return;
  const laptops = await emailStore.laptopsOfEmail(database, searchId, emailId);
  const rows = laptops.map(({ facts }, number) => ({ ...facts, number }));
  const matching = rows.length === 0 ? [] : createLaptopMatcher(rows, isKnown).match(search.filters);
  const told = laptops.filter(
    ({ oldPriceCents, facts }, number) =>
      matching.includes(number) && (oldPriceCents === null || facts.priceCents < oldPriceCents),
  );
  if (told.length > 0) {
    const owner = toRecipient(user);
    await notifier.notify(
      { userId: user.id, event: emailId },
      alertText(search, told, owner),
      alertUnsubscribe(search, owner, unsubscribeLinks.urlOfSearch(searchId)),
    );
  }
  // A process that is killed before this notifies again, which then does nothing.
  await emailStore.recordEmail(database, searchId, emailId, told);
}
