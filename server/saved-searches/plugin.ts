import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/saved-searches.ts';
import { tryAdvisoryLock } from '../database/advisory-locks.ts';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import type { Serve } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { SWEEP_INTERVAL_MS, type Work } from '../jobs/work.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { LaptopIndex } from '../search/rules.ts';
import type { EmailSender } from '../vendors/email.ts';
import * as actions from './actions.ts';
import { returnLostAlerts } from './email-store.ts';
import { matchChanges } from './match-changes.ts';
import { alertsDue, enqueueDueEmails, notifyOwner } from './notifications.ts';
import * as store from './store.ts';
import { createUnsubscribeLinks, type UnsubscribeLinks } from './unsubscribe-links.ts';
import { unknownLink, unsubscribeRoute } from './unsubscribe-route.ts';

/** The advisory lock of the process that matches. */
const MATCHING_LOCK = 'matching saved searches';

export interface SavedSearchesOptions {
  api: Api;
  work: Work;
  database: Database;
  /** Leads to PostgreSQL itself, for the lock of the process that matches. */
  directUrl: string;
  enqueue: Enqueue;
  emailSender: EmailSender;
  origin: string;
  laptopIndex: LaptopIndex;
  metrics: Pick<Metrics, 'recordMatching'>;
  /** How often changed laptops are matched and due emails are enqueued, in milliseconds. */
  matchIntervalMs: number;
  /** The keys of the unsubscribe links: the current one, and the previous one if there is one. */
  unsubscribeKeys: readonly [Uint8Array, ...Uint8Array[]];
}

/** Routes for the caller's own saved searches, and for the unsubscribe page. */
function savedSearchRoutes(serve: Serve, database: Database, links: UnsubscribeLinks): void {
  serve(contract.listSavedSearches, ({ caller }) => actions.list(database, caller));

  serve(contract.saveSearch, async ({ caller, body }) => {
    const { id, isNew } = await actions.save(database, caller, body);
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

  serve(contract.readSubscription, async ({ params }) => {
    const id = links.searchIdOf(params.token);
    if (id === null) throw unknownLink();
    const search = await store.find(database, id);
    return { name: search?.name ?? null, active: search !== undefined && search.paused_at === null };
  });
}

/** Saved searches: routes, matching of changed laptops, emails and their unsubscribe links. */
export async function savedSearchesPlugin(
  app: FastifyInstance,
  options: SavedSearchesOptions,
): Promise<void> {
  const { api, work, database, directUrl, enqueue, origin, laptopIndex, metrics, unsubscribeKeys } = options;
  const links = createUnsubscribeLinks(origin, unsubscribeKeys);
  const isKnown = (word: string) => laptopIndex.hasWord(word);
  await registerCalls(app, api, (serve) => savedSearchRoutes(serve, database, links));
  await app.register((scope) => unsubscribeRoute(scope, { database, links }));
  work.handle(alertsDue, (email) => notifyOwner({ ...options, links, isKnown }, email));
  work.every(
    options.matchIntervalMs,
    async (signal) => {
      // Until then words seem unknown, and the last word of a search stands for all that begin with it.
      if (!laptopIndex.isLoaded()) return;
      await tryAdvisoryLock(directUrl, MATCHING_LOCK, async () => {
        const counts = await matchChanges(database, isKnown, signal);
        const emails = await enqueueDueEmails(database, enqueue, signal);
        metrics.recordMatching({ ...counts, emails });
      });
    },
    (error) => {
      metrics.recordMatching(null);
      app.log.error({ err: error }, 'laptops could not be matched against saved searches');
    },
  );
  work.every(
    SWEEP_INTERVAL_MS,
    () => returnLostAlerts(database),
    (error) => app.log.warn({ err: error }, 'alerts of lost emails could not be returned'),
  );
}
