import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/listings/saved-searches.ts';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { UnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import type { Context } from '#server/platform/context.ts';
import { tryAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import type { LaptopIndex } from '../search/rules.ts';
import * as actions from './actions.ts';
import { returnLostAlerts } from './email-store.ts';
import { matchChanges } from './match-changes.ts';
import { alertsDue, enqueueDueEmails, notifyOwner } from './notifications.ts';
import * as store from './store.ts';

/** The advisory lock of the process that matches. */
const MATCHING_LOCK = 'matching saved searches';

export interface SavedSearchesOptions extends Context {
  /** Leads to PostgreSQL itself, for the lock of the process that matches. */
  directUrl: string;
  notifier: Notifier;
  unsubscribeLinks: UnsubscribeLinks;
  laptopIndex: LaptopIndex;
  /** @param counts of a round of matching; null when it failed */
  metrics: { recordMatching(counts: Record<'laptops' | 'alerts' | 'emails', number> | null): void };
}

/** Routes for the caller's own saved searches. */
function savedSearchRoutes(
  serve: Serve,
  { database, laptopIndex }: Pick<SavedSearchesOptions, 'database' | 'laptopIndex'>,
): void {
  serve(contract.listSavedSearches, ({ caller }) => actions.list(database, caller));

  serve(contract.saveSearch, async ({ caller, body }) => {
    const { id, isNew } = await actions.save({ database, laptopIndex }, caller, body);
    return {
      acknowledged: true,
      insertedId: id,
      message: isNew ? 'Your search was saved.' : 'You saved this search before. It is unchanged.',
    };
  });

  serve(contract.changeSavedSearch, async ({ caller, params, body }) => ({
    acknowledged: true,
    modifiedCount: await actions.change(database, caller, params._id, body),
  }));

  serve(contract.deleteSavedSearch, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: (await store.remove(database, caller.userId, params._id)) ? 1 : 0,
  }));
}

/** Saved searches: routes, matching of changed laptops, and notifications. */
export async function savedSearchesPlugin(
  app: FastifyInstance,
  options: SavedSearchesOptions,
): Promise<void> {
  const { api, work, database, directUrl, enqueue, laptopIndex, metrics } = options;
  const isKnown = (word: string) => laptopIndex.hasWord(word);
  await registerCalls(app, api, (serve) => savedSearchRoutes(serve, options));
  work.handle(alertsDue, (email) => notifyOwner({ ...options, isKnown }, email));
  work.every(
    5_000,
    'laptops could not be matched against saved searches',
    async (signal) => {
      // Until then words seem unknown, and the last word of a search stands for all that begin with it.
      if (!laptopIndex.isLoaded()) return;
      await tryAdvisoryLock(directUrl, MATCHING_LOCK, async () => {
        const { failures, ...counts } = await matchChanges(database, isKnown, signal);
        const emails = await enqueueDueEmails(database, enqueue, signal);
        throwAll(failures, 'some laptops or saved searches could not be matched');
        metrics.recordMatching({ ...counts, emails });
      });
    },
    () => metrics.recordMatching(null),
  );
  work.sweep('alerts of lost emails could not be returned', () => returnLostAlerts(database));
}
