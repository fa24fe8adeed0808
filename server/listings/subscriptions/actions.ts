import type * as z from 'zod/mini';
import type { readSubscription } from '#contract/listings/subscriptions.ts';
import { areEmailsSent, stopEmails } from '#server/people/notifications/steps.ts';
import type { Subscription } from '#server/people/unsubscribe-links.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { findSavedSearch, pauseSavedSearch } from '../saved-searches/steps.ts';

/** The refusal of a link that the shop did not sign. */
export const unknownLink = (): Refusal =>
  new Refusal(
    'not_found',
    'This link is incomplete or not of this shop, so nothing was stopped. Please open the link of the email again.',
  );

/** Describes what an unsubscribe link stops, and whether it is stopped. */
export async function describeSubscription(
  database: Database,
  subscription: Subscription,
): Promise<z.infer<typeof readSubscription.response>> {
  if (subscription.kind === 'topic') {
    const { userId, topic } = subscription;
    return { name: null, topic, active: await areEmailsSent(database, userId, topic) };
  }
  const search = await findSavedSearch(database, subscription.searchId);
  return {
    name: search?.name ?? null,
    topic: null,
    active: search !== undefined && search.paused_at === null,
  };
}

/** Stops the emails of a link, without a sign-in. Repeating it changes nothing. */
export async function unsubscribe(database: Database, subscription: Subscription): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (subscription.kind === 'topic') await stopEmails(transaction, subscription.userId, subscription.topic);
    else await pauseSavedSearch(transaction, subscription.searchId);
  });
}
