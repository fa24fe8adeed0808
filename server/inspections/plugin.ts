import type { FastifyError, FastifyInstance } from 'fastify';
import * as contract from '#contract/inspections.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { refusalFromError } from '../http/problems.ts';
import type { Serve } from '../http/serve.ts';
import { SWEEP_INTERVAL_MS, type Work } from '../jobs/work.ts';
import * as actions from './actions.ts';
import { readScripts, type ServedScript, scriptResponse } from './scripts.ts';
import { removeExpiredCodes } from './store.ts';

export interface InspectionsOptions extends actions.InspectionDependencies {
  api: Api;
  work: Work;
  /** The public origin, without a trailing slash. */
  origin: string;
}

function inspectionRoutes(serve: Serve, scripts: readonly ServedScript[], options: InspectionsOptions): void {
  serve(contract.createMeasurementCode, async ({ caller, params }) => {
    const { code, expiresAt } = await actions.createCode(options, caller, params._id);
    return {
      code,
      expiresAt: expiresAt.toISOString(),
      scripts: scripts.map((script) => scriptResponse(script, options.origin, code)),
    };
  });

  serve(contract.submitReport, async ({ caller, body }) => {
    await actions.requireOwnLaptop(options.database, caller, body.laptopId);
    await actions.takeReport(options, body.report, body.laptopId);
    return { acknowledged: true, message: 'The report was received.' };
  });

  serve(contract.readMeasurement, ({ params }) => actions.readPublic(options.database, params._id));

  serve(contract.readOwnMeasurement, ({ caller, params }) =>
    actions.readOwn(options.database, caller, params._id),
  );
}

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAXIMUM_REPORT_BYTES = contract.MAXIMUM_REPORT_CHARACTERS * 3;

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
      const refusal = refusalFromError(error);
      if (refusal.status >= 500) request.log.error({ err: error }, 'a report could not be taken');
      reply.refusalCode = refusal.code;
      return reply.code(refusal.status).type('text/plain; charset=utf-8').send(`${refusal.message}\n`);
    });
    scope.post('/measurements', async (request, reply) => {
      await options.api.limiter.take('measuring', { account: null, address: request.ip });
      await actions.takeReport(options, typeof request.body === 'string' ? request.body : '', null);
      return reply
        .type('text/plain; charset=utf-8')
        .send('Received. The page that showed you the code now shows what was measured.\n');
    });
  });
}

/** Measurements of laptops by their sellers: codes, scripts and reports. */
export async function inspectionsPlugin(app: FastifyInstance, options: InspectionsOptions): Promise<void> {
  const scripts = await readScripts();
  await registerCalls(app, options.api, (serve) => inspectionRoutes(serve, scripts, options));
  await reportRoutes(app, scripts, options);
  options.work.every(
    SWEEP_INTERVAL_MS,
    () => removeExpiredCodes(options.database),
    (error) => app.log.warn({ err: error }, 'expired measurement codes could not be removed'),
  );
}
