import type { FastifyBaseLogger } from 'fastify';
import { hostnameOf } from '#contract/platform/hosts.ts';
import { type IdentityOptions, identityPlugin } from '#identity/plugin.ts';
import { type CertificatesOptions, certificatesPlugin } from './certification/certificates/plugin.ts';
import { duplicatesPlugin } from './certification/duplicates/plugin.ts';
import { inspectionsPlugin } from './certification/inspections/plugin.ts';
import { createIdentityOutbox } from './identity-outbox.ts';
import { reactToLaptops } from './laptop-events.ts';
import { brandsPlugin } from './listings/brands/plugin.ts';
import { type CatalogueOptions, cataloguePlugin } from './listings/catalogue/plugin.ts';
import { createPhotoLinks } from './listings/photo-links.ts';
import { type ImageHostOptions, imageHostPlugin } from './listings/photos/plugin.ts';
import { reportsPlugin } from './listings/reports/plugin.ts';
import { type SavedSearchesOptions, savedSearchesPlugin } from './listings/saved-searches/plugin.ts';
import { removeSavedSearches } from './listings/saved-searches/steps.ts';
import { createLaptopIndex } from './listings/search/index/laptop-index.ts';
import { searchPlugin } from './listings/search/plugin.ts';
import { subscriptionsPlugin } from './listings/subscriptions/plugin.ts';
import { wishlistPlugin } from './listings/wishlist/plugin.ts';
import { type AccountingOptions, accountingPlugin } from './money/accounting/plugin.ts';
import type { PayoutProcessor } from './money/payouts/payout-processor.ts';
import { payoutsPlugin } from './money/payouts/plugin.ts';
import { type BackupOptions, backupPlugin } from './operations/backup/plugin.ts';
import { contentPlugin } from './operations/content/plugin.ts';
import { type FirstStepsOptions, firstStepsPlugin } from './operations/first-steps/plugin.ts';
import { type HealthOptions, healthPlugin } from './operations/health/plugin.ts';
import { observeRequests } from './operations/log/request-log.ts';
import { privacyPlugin } from './operations/privacy/plugin.ts';
import { type OperationsOptions, operationsRoutes } from './operations/readiness/routes.ts';
import { createCurrentSettings } from './operations/settings/current.ts';
import { type SettingsOptions, serveOwnIcon, settingsPlugin } from './operations/settings/plugin.ts';
import { publicShop } from './operations/settings/rules.ts';
import { staffPlugin } from './operations/staff/plugin.ts';
import { toDoPlugin } from './operations/to-do/plugin.ts';
import { peoplePlugin } from './operations/user-admin/plugin.ts';
import { resolveCaller, resolveIdentity } from './people/accounts/actions.ts';
import { type AccountsOptions, accountsPlugin } from './people/accounts/plugin.ts';
import { auditPlugin } from './people/audit/plugin.ts';
import { toEmailShop } from './people/email-shop.ts';
import { createNotifier } from './people/notifications/notifier.ts';
import { type NotificationsOptions, notificationsPlugin } from './people/notifications/plugin.ts';
import { type PhoneChecksOptions, phoneChecksPlugin } from './people/phone-checks/plugin.ts';
import { createUnsubscribeLinks } from './people/unsubscribe-links.ts';
import { createApi } from './platform/http/api.ts';
import { enforceCloseTimeouts } from './platform/http/close-timeouts.ts';
import { docsPlugin } from './platform/http/docs.ts';
import { createInProcessFetch } from './platform/http/in-process-fetch.ts';
import { limitConnections, MAXIMUM_OF_ADDRESS } from './platform/http/limit-connections.ts';
import { type Limiter, unlimited } from './platform/http/limits.ts';
import { createResponseCache } from './platform/http/response-cache.ts';
import { addSecurityHeaders, createServer, rejectMultipleHosts } from './platform/http/server.ts';
import { createTimeBudget, unlimitedTime } from './platform/http/time-budget.ts';
import type { Queue } from './platform/jobs/queue.ts';
import { createWork } from './platform/jobs/work.ts';
import { livePlugin } from './platform/live/plugin.ts';
import { type PagesOptions, pagesPlugin } from './platform/pages/plugin.ts';
import { bookingsPlugin } from './sales/bookings/plugin.ts';
import { complaintsPlugin } from './sales/complaints/plugin.ts';
import { recordPhoto, requireWritable } from './sales/messages/actions.ts';
import { messagesPlugin } from './sales/messages/plugin.ts';
import { ordersPlugin } from './sales/orders/plugin.ts';
import { hasOrders } from './sales/orders/steps.ts';
import { withAbortSignal } from './sales/payments/card-processor.ts';
import { type PaymentsOptions, paymentsPlugin } from './sales/payments/plugin.ts';
import { reviewsPlugin } from './sales/reviews/plugin.ts';
import type { Carriers } from './sales/shipping/carriers.ts';
import { shippingPlugin } from './sales/shipping/plugin.ts';

/** Everything that the app is built from; made by `shop.ts`, or by a test. */
export interface AppDependencies
  extends Pick<AccountsOptions, 'database' | 'tokens' | 'identityProvider' | 'signIns'>,
    Pick<CatalogueOptions, 'notifications' | 'toStoredPhoto'>,
    Pick<SavedSearchesOptions, 'directUrl'>,
    Pick<CertificatesOptions, 'certificateSecrets'>,
    Pick<NotificationsOptions, 'emailSender' | 'pushSender'>,
    Pick<BackupOptions, 'periodicBackups'>,
    Pick<AccountingOptions, 'balance' | 'tax'>,
    Pick<SettingsOptions, 'providerSettings'>,
    Pick<HealthOptions, 'self' | 'platform'>,
    Pick<FirstStepsOptions, 'cardAccount' | 'ownershipKey'>,
    Pick<PhoneChecksOptions, 'sms' | 'phoneCodeKey'>,
    Pick<PaymentsOptions, 'cards' | 'isLive'> {
  /** The public origin, without a trailing slash. */
  origin: string;
  queue: Queue;
  /** The keys of the unsubscribe links: the current one, and the previous one if there is one. */
  unsubscribeKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** The key that signs the addresses of private photos. */
  photoLinkKey: Uint8Array;
  /** The key of the hashes by which the same laptop is recognized. */
  machineKey: Uint8Array;
  /** Pays sellers through the card processor, if the settings say so. */
  payoutProcessor: PayoutProcessor;
  /** Sells labels of carriers; null when sellers bring their own. */
  carriers: Carriers | null;
  /** The built-in image host; null when another one is configured. */
  photos: ImageHostOptions | null;
  /** The built-in identity provider; null when another one is configured. It sends its emails as the shop does. */
  identity: Omit<IdentityOptions, 'mail' | 'shop'> | null;
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
  const { database, queue, origin, operations, photos, identity, pages, trustProxy } = dependencies;
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
  // Before the first request: it must not see the settings of a fresh shop.
  const current = createCurrentSettings({
    ...dependencies,
    // Anything may show the settings.
    onChange: () => cache.forgetNotified(['']),
  });
  app.addHook('onClose', async () => current.stop());
  await current.refresh();
  const shop = current.settings;
  const timeBudget = isLimited ? createTimeBudget() : unlimitedTime;
  const work = createWork(queue, app.log);
  const api = await createApi(app, {
    database,
    work,
    limiter: dependencies.limiter,
    authentication: {
      caller: (token) => resolveCaller({ ...dependencies, shop }, token),
      identity: (token) => resolveIdentity(dependencies, token),
    },
  });
  const unsubscribeLinks = createUnsubscribeLinks(origin, dependencies.unsubscribeKeys);
  const options = {
    ...dependencies,
    shop,
    current,
    laptopEvents: reactToLaptops({ ...dependencies, shop, enqueue: queue.enqueue, cache, cards }),
    unsubscribeLinks,
    photoLinks: createPhotoLinks(origin, dependencies.photoLinkKey),
    notifier: createNotifier({ ...dependencies, shop, enqueue: queue.enqueue, unsubscribeLinks }),
    api,
    work,
    cache,
    timeBudget,
    cards,
    laptopIndex: createLaptopIndex(),
    enqueue: queue.enqueue,
    metrics: operations.metrics,
    photoStorage: photos?.storage ?? null,
  };

  serveOwnIcon(app, current);
  await app.register(settingsPlugin, options);
  await app.register(docsPlugin, { prefix: '/api', origin, shop });
  await app.register(auditPlugin, options);
  await app.register(accountsPlugin, { ...options, removeSavedSearches });
  await app.register(notificationsPlugin, options);
  await app.register(imageHostPlugin, {
    ...options,
    conversations: {
      requireWritable: (caller, id) => requireWritable(database, caller, id),
      recordPhoto: (caller, id, photo) => recordPhoto(database, caller, id, photo),
    },
    hasBought: (buyerId) => hasOrders(database, buyerId),
  });
  await app.register(cataloguePlugin, options);
  await app.register(inspectionsPlugin, options);
  await app.register(certificatesPlugin, options);
  await app.register(searchPlugin, options);
  await app.register(savedSearchesPlugin, options);
  await app.register(brandsPlugin, options);
  await app.register(subscriptionsPlugin, options);
  await app.register(wishlistPlugin, options);
  await app.register(bookingsPlugin, options);
  await app.register(ordersPlugin, options);
  await app.register(paymentsPlugin, options);
  await app.register(shippingPlugin, options);
  await app.register(complaintsPlugin, options);
  await app.register(reviewsPlugin, options);
  await app.register(messagesPlugin, options);
  await app.register(payoutsPlugin, { ...options, processor: dependencies.payoutProcessor });
  await app.register(accountingPlugin, options);
  await app.register(reportsPlugin, options);
  await app.register(duplicatesPlugin, options);
  await app.register(phoneChecksPlugin, options);
  await app.register(peoplePlugin, options);
  await app.register(privacyPlugin, options);
  await app.register(backupPlugin, options);
  await app.register(contentPlugin, options);
  await app.register(healthPlugin, options);
  await app.register(firstStepsPlugin, options);
  await app.register(staffPlugin, options);
  await app.register(toDoPlugin, options);
  await app.register(livePlugin, options);
  if (identity !== null) {
    const mail = { outbox: createIdentityOutbox(queue, work), send: dependencies.emailSender.send };
    await app.register(identityPlugin({ ...identity, mail, shop: () => toEmailShop(shop()) }));
  }
  if (pages !== null) {
    const callApi = createInProcessFetch(app);
    await app.register(async (scope) =>
      pagesPlugin(scope, {
        ...{ ...pages, origin, cache, timeBudget, callApi },
        proxies: trustProxy,
        shop: () => publicShop(shop()),
      }),
    );
  }
  return { app, settings: shop, startWork: work.start };
}
