import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { hostnameOf } from '#contract/hosts.ts';
import { readSettings, type Settings } from '#contract/settings.ts';
import { type IdentityOptions, identityPlugin } from '#identity/plugin.ts';
import { type AccountingOptions, accountingPlugin } from './accounting/plugin.ts';
import { resolveCaller, resolveIdentity } from './accounts/actions.ts';
import { type AccountsOptions, accountsPlugin } from './accounts/plugin.ts';
import { auditPlugin } from './audit/plugin.ts';
import { type BackupOptions, backupPlugin } from './backup/plugin.ts';
import { bookingsPlugin } from './bookings/plugin.ts';
import { type CatalogueOptions, cataloguePlugin } from './catalogue/plugin.ts';
import { createResponseCache } from './catalogue/response-cache.ts';
import { type CertificatesOptions, certificatesPlugin } from './certificates/plugin.ts';
import { complaintsPlugin } from './complaints/plugin.ts';
import { type DuplicatesOptions, duplicatesPlugin } from './duplicates/plugin.ts';
import { type HealthOptions, healthPlugin } from './health/plugin.ts';
import { createApi, registerCalls } from './http/api.ts';
import { declareCacheDependencies, unchanging } from './http/cache-dependencies.ts';
import { enforceCloseTimeouts } from './http/close-timeouts.ts';
import { docsPlugin } from './http/docs.ts';
import { createInProcessFetch } from './http/in-process-fetch.ts';
import { limitConnections, MAXIMUM_OF_ADDRESS } from './http/limit-connections.ts';
import { type Limiter, unlimited } from './http/limits.ts';
import { addSecurityHeaders, createServer, rejectMultipleHosts } from './http/server.ts';
import { createTimeBudget, unlimitedTime } from './http/time-budget.ts';
import { createIdentityOutbox } from './identity-outbox.ts';
import { inspectionsPlugin } from './inspections/plugin.ts';
import type { BatteryFloors } from './inspections/rules.ts';
import type { Queue } from './jobs/queue.ts';
import { createWork } from './jobs/work.ts';
import { livePlugin } from './live/plugin.ts';
import { recordPhoto, requireWritable } from './messages/actions.ts';
import { type MessagesOptions, messagesPlugin } from './messages/plugin.ts';
import { createNotifier } from './notifications/notifier.ts';
import { type NotificationsOptions, notificationsPlugin } from './notifications/plugin.ts';
import { observeRequests } from './operations/request-log.ts';
import { type OperationsOptions, operationsRoutes } from './operations/routes.ts';
import { type OrdersOptions, ordersPlugin } from './orders/plugin.ts';
import { hasOrders } from './orders/steps.ts';
import { type PagesOptions, pagesPlugin } from './pages/plugin.ts';
import { withAbortSignal } from './payments/cards.ts';
import { type PaymentsOptions, paymentsPlugin } from './payments/plugin.ts';
import { enqueuePayoutEventWith } from './payouts/connect.ts';
import { type PayoutsOptions, payoutsPlugin } from './payouts/plugin.ts';
import type { PayoutProcessor } from './payouts/processor.ts';
import { peoplePlugin } from './people/plugin.ts';
import { type PhoneChecksOptions, phoneChecksPlugin } from './phone-checks/plugin.ts';
import { createPhotoLinks } from './photo-links.ts';
import { type ImageHostOptions, imageHostPlugin } from './photos/plugin.ts';
import { privacyPlugin } from './privacy/plugin.ts';
import { reportsPlugin } from './reports/plugin.ts';
import { reviewsPlugin } from './reviews/plugin.ts';
import { type SavedSearchesOptions, savedSearchesPlugin } from './saved-searches/plugin.ts';
import { removeSavedSearches } from './saved-searches/steps.ts';
import { createLaptopIndex } from './search/index/laptop-index.ts';
import { searchPlugin } from './search/plugin.ts';
import { subscriptionsPlugin } from './subscriptions/plugin.ts';
import { createUnsubscribeLinks } from './unsubscribe-links.ts';
import { wishlistPlugin } from './wishlist/plugin.ts';

/** Everything that the app is built from; made by `shop.ts`, or by a test. */
export interface AppDependencies
  extends Pick<AccountsOptions, 'database' | 'tokens' | 'identityProvider' | 'signIns'>,
    Pick<CatalogueOptions, 'directUrl' | 'notifications' | 'toStoredPhoto'>,
    Pick<CertificatesOptions, 'certificateSecrets' | 'renewIntervalMs'>,
    Pick<NotificationsOptions, 'emailSender' | 'pushSender' | 'digestIntervalMs'>,
    Pick<SavedSearchesOptions, 'matchIntervalMs'>,
    Pick<DuplicatesOptions, 'compareIntervalMs'>,
    Pick<OrdersOptions, 'orderClockIntervalMs'>,
    Pick<MessagesOptions, 'messageClockIntervalMs'>,
    Pick<PayoutsOptions, 'payoutIntervalMs' | 'payoutAfter' | 'bankAccount'>,
    Pick<BackupOptions, 'periodicBackups'>,
    Pick<AccountingOptions, 'balance' | 'timeZone' | 'shopIdentity' | 'compareLedgerIntervalMs'>,
    Pick<HealthOptions, 'self' | 'platform'>,
    Pick<PhoneChecksOptions, 'sms' | 'phoneCodeKey' | 'shopCountry'>,
    Pick<PaymentsOptions, 'cards' | 'commission' | 'reconcileIntervalMs'> {
  /** The public origin, without a trailing slash. */
  origin: string;
  queue: Queue;
  /** The keys of the unsubscribe links: the current one, and the previous one if there is one. */
  unsubscribeKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** The key that signs the addresses of private photos. */
  photoLinkKey: Uint8Array;
  /** The key of the hashes by which the same laptop is recognized. */
  machineKey: Uint8Array;
  /** The least battery health by condition. */
  batteryFloors: BatteryFloors;
  /** Whether admins must sign in with a second factor. */
  adminSecondFactor: boolean;
  settings: Settings;
  /** Pays sellers through the card processor; null when they are paid by hand. */
  payoutProcessor: PayoutProcessor | null;
  /** The built-in image host; null when another one is configured. */
  photos: ImageHostOptions | null;
  /** The built-in identity provider; null when another one is configured. It sends its emails as the shop does. */
  identity: Omit<IdentityOptions, 'mail'> | null;
  /** Null to serve the API only. */
  pages: Pick<PagesOptions, 'mode' | 'contentSecurity'> | null;
  logger: FastifyBaseLogger;
  operations: OperationsOptions;
  limiter: Limiter;
  /** How many proxies in front are trusted. */
  trustProxy: number;
}

/**
 * Builds the app from its plugins. It neither listens nor runs background work yet.
 * @returns the app, and a function that starts its jobs and periodic tasks
 */
export async function buildApp(dependencies: AppDependencies) {
  const { database, queue, origin, operations, settings, photos, identity, pages, trustProxy } = dependencies;
  const app = createServer(dependencies);
  const isLimited = dependencies.limiter !== unlimited;
  limitConnections(app.server, { perAddress: isLimited && trustProxy === 0 ? MAXIMUM_OF_ADDRESS : null });
  const cards = withAbortSignal(dependencies.cards, enforceCloseTimeouts(app));
  operations.traceRequests?.(app);
  observeRequests(app, operations);
  rejectMultipleHosts(app);
  operationsRoutes(app, operations, hostnameOf(origin));
  addSecurityHeaders(app, origin);

  const cache = createResponseCache();
  operations.metrics.watchResponseCache(cache.size);
  const timeBudget = isLimited ? createTimeBudget() : unlimitedTime;
  const work = createWork(queue);
  const api = await createApi(app, {
    database,
    work,
    limiter: dependencies.limiter,
    authentication: {
      caller: async (token) => (await resolveCaller(dependencies, token, () => sql<null>`null`)).caller,
      callerWithQuery: (token, expressionFor) => resolveCaller(dependencies, token, expressionFor),
      identity: (token) => resolveIdentity(dependencies, token),
    },
  });
  const unsubscribeLinks = createUnsubscribeLinks(origin, dependencies.unsubscribeKeys);
  const options = {
    ...dependencies,
    unsubscribeLinks,
    photoLinks: createPhotoLinks(origin, dependencies.photoLinkKey),
    notifier: createNotifier({ ...dependencies, enqueue: queue.enqueue, unsubscribeLinks }),
    api,
    work,
    cache,
    timeBudget,
    cards,
    laptopIndex: createLaptopIndex(),
    enqueue: queue.enqueue,
    enqueuePayoutEvent: dependencies.payoutProcessor && enqueuePayoutEventWith(queue.enqueue),
    metrics: operations.metrics,
    photoStorage: photos?.storage ?? null,
  };

  await registerCalls(app, api, (serve) =>
    serve(readSettings, async () => {
      declareCacheDependencies(unchanging);
      return settings;
    }),
  );
  await app.register(docsPlugin, { prefix: '/api', origin });
  await app.register(auditPlugin, options);
  await app.register(accountsPlugin, { ...options, removeSavedSearches });
  await app.register(notificationsPlugin, options);
  await app.register(imageHostPlugin, {
    ...options,
    conversations: {
      requireWritable: (caller, id) => requireWritable(database, caller, id),
      recordPhoto: (caller, id, photo) => recordPhoto(database, caller, [id, photo]),
    },
    hasBought: (buyerId) => hasOrders(database, buyerId),
  });
  await app.register(cataloguePlugin, options);
  await app.register(inspectionsPlugin, options);
  await app.register(certificatesPlugin, options);
  await app.register(searchPlugin, options);
  await app.register(savedSearchesPlugin, options);
  await app.register(subscriptionsPlugin, options);
  await app.register(wishlistPlugin, options);
  await app.register(bookingsPlugin, options);
  await app.register(ordersPlugin, options);
  await app.register(paymentsPlugin, options);
  await app.register(complaintsPlugin, options);
  await app.register(reviewsPlugin, options);
  await app.register(messagesPlugin, options);
  await app.register(payoutsPlugin, options);
  await app.register(accountingPlugin, options);
  await app.register(reportsPlugin, options);
  await app.register(duplicatesPlugin, options);
  await app.register(phoneChecksPlugin, options);
  await app.register(peoplePlugin, options);
  await app.register(privacyPlugin, options);
  await app.register(backupPlugin, options);
  await app.register(healthPlugin, options);
  await app.register(livePlugin, options);
  if (identity !== null) {
    const mail = { outbox: createIdentityOutbox(queue, work), send: dependencies.emailSender.send };
    await app.register(identityPlugin({ ...identity, mail }));
  }
  if (pages !== null) {
    const callApi = createInProcessFetch(app);
    await app.register(async (scope) =>
      pagesPlugin(scope, { ...pages, origin, cache, timeBudget, proxies: trustProxy, callApi }),
    );
  }
  return { app, startWork: work.start };
}
