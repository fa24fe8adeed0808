import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { hostOf } from '#contract/hosts.ts';
import { readSettings, type Settings } from '#contract/settings.ts';
import { type IdentityOptions, identityPlugin } from '#identity/plugin.ts';
import { callerOf, identityOf } from './accounts/actions.ts';
import { backChannelLogout, forgetEndedSessions } from './accounts/back-channel-logout.ts';
import type { IdentityVerifier } from './accounts/identity-proof.ts';
import { accountRoutes } from './accounts/routes.ts';
import { disableIdentity, eraseIdentity } from './accounts/steps.ts';
import type { Tokens } from './accounts/tokens.ts';
import { bookingMade, tellSeller } from './bookings/actions.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { forgetOldTurns } from './bookings/steps.ts';
import { createResponseCache } from './catalogue/response-cache.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import type { PhotoPlace } from './catalogue/rules.ts';
import { laptopWithdrawn } from './catalogue/steps.ts';
import { removeUnusedPhotos } from './catalogue/unused-photos.ts';
import { listen } from './database/listen.ts';
import type { Database } from './database/tables.ts';
import { boundClosing } from './http/closing.ts';
import { docsPlugin } from './http/docs.ts';
import { refuseSecondHost } from './http/hosts.ts';
import { createIdempotency } from './http/idempotency.ts';
import { inProcess } from './http/in-process.ts';
import { takeJsonOnly } from './http/json.ts';
import type { Limiter } from './http/limits.ts';
import { answerProblem, sendProblem } from './http/problems.ts';
import { Refusal } from './http/refusal.ts';
import { bearer, createServe } from './http/serve.ts';
import { handle, type Queue } from './jobs/queue.ts';
import { every } from './jobs/timer.ts';
import { reportResolved, takenDown, tellReporter, tellTakenDown } from './moderation/actions.ts';
import { moderationRoutes } from './moderation/routes.ts';
import { recordCardAct } from './moderation/steps.ts';
import { watchRequests } from './operations/requests.ts';
import { type OperationsOptions, operationsRoutes } from './operations/routes.ts';
import { type PagesOptions, pagesPlugin } from './pages.ts';
import { type CardProcessor, untilAborted } from './payments/cards.ts';
import { followDispute, tellDispute } from './payments/disputes.ts';
import * as followUp from './payments/follow-up.ts';
import { followRefundEvent, lookAfterRefund, tellRefunded, tellRefundFailed } from './payments/refunds.ts';
import {
  cardEvent,
  disputeEvent,
  orAway,
  paymentRoutes,
  refundEvent,
  webhookRoutes,
} from './payments/routes.ts';
import {
  bookingCancelled,
  closeAttempts,
  closeAttemptsOfBuyer,
  disputeNews,
  paid,
  refundDue,
  refunded,
  refundFailed,
} from './payments/steps.ts';
import { registerUpload } from './photos/actions.ts';
import { type PhotosOptions, photosPlugin } from './photos/routes.ts';
import { isPhotoStored } from './photos/steps.ts';
import type { Mailer } from './vendors/mail.ts';
import { wishlistRoutes } from './wishlist/routes.ts';

const SWEEP_MILLISECONDS = 10 * 60_000;
const PHOTO_SWEEP_MILLISECONDS = 60 * 60_000;

/** All parts of the shop, made by `main.ts` or by a test. */
export interface Parts {
  /** The public origin, without a slash at the end. */
  origin: string;
  database: Database;
  /** For the one connection that listens to changes of the catalogue. */
  connectionString: string;
  queue: Queue;
  tokens: Tokens;
  identityProvider: IdentityVerifier;
  /** Whether admins must sign in with a second factor. */
  adminSecondFactor: boolean;
  /** What the shop asks of the identity provider about an e-mail's sign-in. */
  signIns: {
    /** Ends it, for ever. */
    disable(email: string): Promise<void>;
    /** Removes it, so that it could be made anew; one made since a moment (ISO 8601) stays. */
    erase(email: string, madeBefore?: string): Promise<void>;
  };
  cards: CardProcessor;
  mailer: Mailer;
  /** How a photo's URL is stored; null when the configured image host cannot have answered it. */
  storedPhoto(url: string): string | null;
  settings: Settings;
  /** The built-in image host; null when another one is configured. */
  photos: Omit<PhotosOptions, 'authorize' | 'registerUpload'> | null;
  /** The built-in identity provider; null when another one is configured. */
  identity: IdentityOptions | null;
  /** Null where only the calls are wanted. */
  pages: Pick<PagesOptions, 'mode' | 'contentSecurity'> | null;
  logger: FastifyBaseLogger;
  operations: OperationsOptions;
  limiter: Limiter;
  /** How many proxies stand in front. */
  trustProxy: number;
  /** How often attempts at paying that went silent are asked about, in milliseconds. */
  reconcileEvery: number;
}

/** The app, and what runs beside its requests. */
export interface Shop {
  app: FastifyInstance;
  /** Begins to work off jobs and to look after silent payments. */
  startWork(): Promise<Work>;
}

export interface Work {
  /** Ends reconciliation and resolves when what was under way has ended, after 5 s at most. */
  stop(): Promise<void>;
}

/** Puts the shop together: the only place where all parts meet. Nothing listens and no job runs yet. */
export async function buildApp(parts: Parts): Promise<Shop> {
  const { database, queue, tokens, mailer, origin } = parts;
  const { enqueue } = queue;
  const { limiter, operations } = parts;
  const { metrics } = operations;
  const app = fastify({
    loggerInstance: parts.logger,
    // What a proxy adds stands last; anything before the trusted ones is whatever the client likes to write.
    trustProxy: (_address, hop) => hop < parts.trustProxy,
    genReqId: () => randomUUID(),
    // Its lines hold addresses as they came; `watchRequests` writes the shop's own.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // A broken address or request line never reaches a route.
    frameworkErrors: (error, request, reply) =>
      answerProblem(error, request, reply.header('x-request-id', request.id)),
    // A connection that is still open while this process closes is answered, and closed after.
    return503OnClosing: false,
    // A photo may take a while over a phone's connection; nothing else does.
    requestTimeout: 120_000,
    // A client that takes nothing of its answer for so long is gone; what waits for it is memory.
    connectionTimeout: 120_000,
    // On closing, idle connections end at once and those with a request under way after its answer.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
  });
  app.setErrorHandler(answerProblem);
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, new Refusal('not_found', 'There is nothing here by that name.')),
  );
  app.decorateReply('refusalCode', null);
  const cards = untilAborted(parts.cards, boundClosing(app));
  watchRequests(app, operations);
  refuseSecondHost(app);
  operationsRoutes(app, operations, hostOf(origin));
  // With a callback, because a promise would cost every answer a turn of the queue.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    // Pages state their own; whatever else is answered has no reason to run, load or be framed as a document.
    if (!reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    }
    if (origin.startsWith('https:')) {
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    }
    done();
  });

  const idempotency = createIdempotency(database);
  const cache = createResponseCache();
  metrics.watchResponseCache(cache.size);
  const ear = listen(parts.connectionString, 'catalogue_changed', {
    heard: cache.enable,
    lost: cache.disable,
  });
  app.addHook('onClose', () => ear.stop());

  const callerOfToken = (token: string) => callerOf(parts, token);
  const photos: PhotoPlace = {
    origin,
    stored: parts.storedPhoto,
    isKept: async (address) => parts.photos === null || isPhotoStored(parts.photos.storage, address),
  };
  const payments = { database, enqueue, cards, forgetCatalogue: cache.clear, record: recordCardAct };

  await app.register(
    async (calls) => {
      takeJsonOnly(calls);
      // A route, not a handler of what is not found: the pages' own route for everything else would come first.
      calls.all('/*', (_request, reply) =>
        sendProblem(reply, new Refusal('not_found', 'The shop has no such call.')),
      );
      await calls.register(docsPlugin, { origin });
      const authentication = { caller: callerOfToken, identity: (token: string) => identityOf(parts, token) };
      const serve = createServe(calls, authentication, { limiter, idempotency });
      serve(readSettings, async () => parts.settings);
      accountRoutes(serve, { database, tokens });
      catalogueRoutes(serve, { database, enqueue, photos, cache, clearCache: cache.clear });
      wishlistRoutes(serve, { database, origin });
      bookingRoutes(serve, { database, enqueue, origin });
      paymentRoutes(serve, payments);
      moderationRoutes(serve, {
        database,
        enqueue,
        origin,
        forgetCatalogue: cache.clear,
        closeAttemptsOf: (buyerId) => orAway(followUp.closeAttemptsOf(payments, buyerId)),
      });
    },
    { prefix: '/api' },
  );
  await app.register(async (scope) => webhookRoutes(scope, { database, cards, enqueue }));
  await app.register(async (scope) => backChannelLogout(scope, parts));

  if (parts.photos !== null) {
    await app.register(photosPlugin, {
      ...parts.photos,
      authorize: async (request) => {
        const token = bearer(request);
        if (token === null) throw new Refusal('not_signed_in', 'Please sign in to upload photos.');
        const caller = await callerOfToken(token);
        if (caller.role !== 'Seller') throw new Refusal('not_allowed', 'Only sellers upload photos.');
        await limiter.take('upload', { account: caller.userId, address: request.ip });
        return { sellerId: caller.userId };
      },
      registerUpload: (hash) => registerUpload(database, hash),
    });
  }
  if (parts.identity !== null) await app.register(identityPlugin(parts.identity));
  if (parts.pages !== null) {
    const pages: PagesOptions = {
      ...parts.pages,
      origin,
      proxies: parts.trustProxy,
      callApi: inProcess(app),
    };
    await app.register(async (scope) => pagesPlugin(scope, pages));
  }

  const work: followUp.FollowUpDependencies = { ...payments, mailer, origin };
  const handlers = [
    handle(disableIdentity, ({ email }) => parts.signIns.disable(email)),
    handle(eraseIdentity, ({ email, endedAt }) => parts.signIns.erase(email, endedAt)),
    handle(laptopWithdrawn, ({ laptopId }) => followUp.tellWithdrawn(work, laptopId)),
    handle(bookingCancelled, ({ bookingId }) => followUp.tellCancelled(work, bookingId)),
    handle(bookingMade, (data) => tellSeller(work, data)),
    handle(cardEvent, ({ transactionId }) => followUp.followEvent(work, transactionId)),
    handle(closeAttempts, ({ laptopId }) => followUp.closeAttemptsAt(work, laptopId)),
    handle(closeAttemptsOfBuyer, async ({ buyerId }) => {
      // What the card provider is still working on is asked about until it is decided.
      await followUp.closeAttemptsOf(work, buyerId);
    }),
    handle(paid, (data) => followUp.tellPaid(work, data)),
    handle(refundDue, ({ refundId }) => lookAfterRefund(work, refundId)),
    handle(refundEvent, (data) => followRefundEvent(work, data)),
    handle(disputeEvent, ({ cardDisputeId }) => followDispute(work, cardDisputeId)),
    handle(reportResolved, ({ reportId }) => tellReporter(work, reportId)),
    handle(takenDown, (data) => tellTakenDown(work, data)),
    handle(refunded, ({ refundId }) => tellRefunded(work, refundId)),
    handle(refundFailed, (data) => tellRefundFailed(work, data)),
    handle(disputeNews, (data) => tellDispute(work, data)),
  ];

  return {
    app,
    startWork: async () => {
      await queue.start(handlers);
      const reconciling = every(
        parts.reconcileEvery,
        async (signal) => {
          await followUp.reconcile(work, new Date(), signal);
          metrics.reconciled('done');
        },
        (error) => {
          metrics.reconciled('failed');
          app.log.error({ err: error }, 'silent payments could not be looked after');
        },
      );
      const sweeping = every(
        SWEEP_MILLISECONDS,
        async () => {
          await limiter.sweep();
          await idempotency.sweep();
          await forgetEndedSessions(database);
          await followUp.forgetOldEvents(work, new Date());
          await forgetOldTurns(database, new Date());
        },
        (error) =>
          app.log.warn(
            { err: error },
            'lapsed limits, idempotency keys, ended sessions, old events and past turns to pay could not be removed',
          ),
      );
      const { storage } = parts.photos ?? {};
      const tidying =
        storage &&
        every(
          PHOTO_SWEEP_MILLISECONDS,
          async () => void (await removeUnusedPhotos({ database, storage }, new Date())),
          (error) => app.log.error({ err: error }, 'unused photos could not be removed'),
        );
      return {
        stop: async () => {
          await Promise.all([reconciling.stop(), sweeping.stop(), tidying?.stop(), queue.stop()]);
        },
      };
    },
  };
}
