import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import * as checks from '#contract/certification/browser-checks.ts';
import * as queueContract from '#contract/certification/inspection-queue.ts';
import * as contract from '#contract/certification/inspections.ts';
import * as draftContract from '#contract/certification/laptop-drafts.ts';
import { toPhotoUrl } from '#server/listings/catalogue/rules.ts';
import type { PhotoDependencies } from '#server/listings/catalogue/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { refusalFromError } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import * as browserChecks from './browser-checks.ts';
import { removeExpiredCodes } from './code-store.ts';
import { removeExpiredDrafts } from './draft-store.ts';
import * as drafts from './drafts.ts';
import * as inspectionQueue from './inspection-queue.ts';
import { toInspectionListItem } from './inspection-queue-rules.ts';
import { listInspectionQueue } from './inspection-queue-store.ts';
import { deviceLockFound, inspectionDecided } from './notifications.ts';
import { readPublicMeasurement } from './public-measurement.ts';
import { refreshLevels, retryFailedLevels } from './refresh-levels.ts';
import { codeResponse, readScripts, type ServedScript } from './scripts.ts';

export type InspectionsOptions = Context &
  actions.InspectionDependencies &
  PhotoDependencies &
  NotificationDependencies;

function inspectionRoutes(serve: Serve, scripts: readonly ServedScript[], options: InspectionsOptions): void {
  serve(contract.createMeasurementCode, async ({ caller, params }) =>
    codeResponse(await actions.createCode(options, caller, params._id), scripts, options.origin),
  );

  serve(contract.submitReport, async ({ caller, body }) => {
    await actions.requireOwnLaptop(options.database, caller, body.laptopId);
    await actions.storeReport(options, body.report, { laptopId: body.laptopId });
    return { acknowledged: true, message: 'The report was received.' };
  });

  serve(contract.readMeasurement, ({ params }) => readPublicMeasurement(options, params._id));

  serve(contract.readOwnMeasurement, ({ caller, params }) => actions.readOwn(options, caller, params._id));
}

/** Routes for laptops that are not listed yet. */
function draftRoutes(serve: Serve, scripts: readonly ServedScript[], options: InspectionsOptions): void {
  const { database, origin } = options;

  serve(draftContract.createLaptopDraft, async ({ caller }) => {
    const draft = await drafts.createDraft(database, caller);
    return { acknowledged: true, insertedId: draft.id, slipCode: draft.slip_code };
  });

  serve(draftContract.createDraftCode, async ({ caller, params }) =>
    codeResponse(await drafts.createDraftCode(database, caller, params._id), scripts, origin),
  );

  serve(draftContract.submitDraftReport, async ({ caller, params, body }) => {
    await drafts.requireOwnDraft(database, caller, params._id);
    await actions.storeReport(options, body.report, { draftId: params._id });
    return { acknowledged: true, message: 'The report was received.' };
  });

  serve(draftContract.readDraftMeasurement, ({ caller, params }) =>
    drafts.readDraft(options, caller, params._id),
  );

  serve(draftContract.deleteDraftMeasurement, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: await drafts.discardMeasurement(database, caller, params._id),
  }));

  serve(draftContract.deleteLaptopDraft, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: await drafts.discardDraft(database, caller, params._id),
  }));
}

function browserCheckRoutes(serve: Serve, options: InspectionsOptions): void {
  serve(checks.readCheckCode, ({ body }) => browserChecks.readCode(options.database, body.code));

  serve(checks.submitBrowserCheck, async ({ body }) => {
    await browserChecks.storeBrowserCheck(options, body);
    return { acknowledged: true, message: 'The check was received.' };
  });
}

/** Routes of the admins' inspection queue. */
function inspectionQueueRoutes(serve: Serve, options: InspectionsOptions): void {
  const photoUrl = (photo: string) => toPhotoUrl(photo, options.origin);

  serve(queueContract.listInspections, async (call) => {
    const page = await listInspectionQueue(options.database, call.query.list, pageRequest(call.query));
    return sendPage(call, page, (row) => toInspectionListItem(row, photoUrl));
  });

  serve(queueContract.readInspection, ({ params }) =>
    inspectionQueue.readInspectionCase(options, params._id),
  );

  serve(queueContract.decideInspection, async ({ caller, params, body }) => ({
    acknowledged: true,
    modifiedCount: (await inspectionQueue.decideInspection(options, caller, params._id, body)) ? 1 : 0,
  }));
}

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAXIMUM_REPORT_BYTES = contract.MAXIMUM_REPORT_CHARACTERS * 3;

/** What is wrong with a body that was not read as a report; null for any other error. */
function bodyRefusal({ code }: FastifyError): Refusal | null {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refusal('unsupported_media_type', 'A report is sent as text (text/plain). Nothing was kept.');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal(
      'too_large',
      'This is not a report of the shop’s script: it is too long. Nothing was kept.',
    );
  return null;
}

/**
 * Serves the scripts and takes the reports that they send, at `POST /measurements`. The answers are plain sentences for the
 * person at the terminal.
 */
async function reportRoutes(
  app: FastifyInstance,
  scripts: readonly ServedScript[],
  options: InspectionsOptions,
): Promise<void> {
  for (const { fileName, content } of scripts) {
    app.get(`/inspect/${fileName}`, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(content),
    );
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'text/plain',
      { parseAs: 'string', bodyLimit: MAXIMUM_REPORT_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = bodyRefusal(error) ?? refusalFromError(error);
      if (refusal.status >= 500) request.log.error({ err: error }, 'a report could not be taken');
      reply.refusalCode = refusal.code;
      return reply.code(refusal.status).type('text/plain; charset=utf-8').send(`${refusal.message}\n`);
    });
    const countAttempt = (request: FastifyRequest) =>
      options.api.limiter.take('measuring', { account: null, address: request.ip });
    // Counted before the body is read.
    scope.post('/measurements', { onRequest: countAttempt }, async (request, reply) => {
      await actions.storeReport(options, typeof request.body === 'string' ? request.body : '', null);
      return reply
        .type('text/plain; charset=utf-8')
        .send('Received. The page that showed you the code now shows what was measured.\n');
    });
  });
}

/** How soon a failed computation of all levels is repeated. */
const LEVELS_INTERVAL_MS = 10_000;

/** Measurements of laptops by their sellers: codes, scripts, reports and drafts. */
export async function inspectionsPlugin(app: FastifyInstance, options: InspectionsOptions): Promise<void> {
  const scripts = await readScripts();
  await registerCalls(app, options.api, (serve) => {
    inspectionRoutes(serve, scripts, options);
    draftRoutes(serve, scripts, options);
    browserCheckRoutes(serve, options);
    inspectionQueueRoutes(serve, options);
  });
  await reportRoutes(app, scripts, options);
  for (const removeExpired of [removeExpiredCodes, removeExpiredDrafts]) {
    options.work.sweep('expired measurement codes and drafts could not be removed', () =>
      removeExpired(options.database),
    );
  }
  for (const each of [inspectionDecided, deviceLockFound]) each.sendIn(options.work, options);
  /** The settings by which the levels are computed; null before the first time. */
  let computedBy: object | null = null;
  options.work.every(
    LEVELS_INTERVAL_MS,
    'the levels of measured laptops could not be computed again',
    async (signal) => {
      const settings = options.shop();
      if (computedBy === settings) return retryFailedLevels(options, signal);
      const laptops = await refreshLevels(options, signal);
      if (laptops === undefined) return;
      computedBy = settings;
      if (laptops > 0) app.log.info({ laptops }, 'computed the levels of measured laptops again');
    },
  );
}
