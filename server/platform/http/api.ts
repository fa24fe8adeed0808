import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import type { Work } from '../jobs/work.ts';
import type { Authentication } from './guard.ts';
import { createIdempotency } from './idempotency.ts';
import { createReadLimit } from './limit-reads.ts';
import type { Limiter } from './limits.ts';
import { sendProblem } from './problems.ts';
import { Refusal } from './refusal.ts';
import { createServe, type Serve } from './serve.ts';

export const API_PREFIX = '/api';

/** The services shared by all calls. */
export type Api = Awaited<ReturnType<typeof createApi>>;

/** The maximum body of a call, in bytes. Photo uploads have their own limit. */
const MAXIMUM_BODY_BYTES = 1024 * 1024;

/**
 * Accepts JSON bodies only. An empty body counts as none, because clients often send a content type without a body. Keys
 * that would modify prototypes are rejected.
 */
function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    ['application/json', 'application/problem+json'],
    { parseAs: 'string', bodyLimit: MAXIMUM_BODY_BYTES },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else parse(request, body, done);
    },
  );
}

/** Creates the API, its 404 response, and the task that removes expired idempotency keys and rate limits. */
export async function createApi(
  app: FastifyInstance,
  {
    database,
    work,
    ...shared
  }: { database: Database; work: Work; authentication: Authentication; limiter: Limiter },
) {
  const idempotency = createIdempotency(database);
  // A route instead of a not-found handler: the catch-all route of the pages would match first.
  await app.register(
    async (scope) => {
      parseJsonOnly(scope);
      scope.all('/*', (_request, reply) =>
        sendProblem(reply, new Refusal('not_found', 'The shop has no such call.')),
      );
    },
    { prefix: API_PREFIX },
  );
  for (const { sweep } of [shared.limiter, idempotency]) {
    work.sweep('expired rate limits and idempotency keys could not be removed', sweep);
  }
  return { ...shared, limitRead: createReadLimit(shared.limiter), idempotency };
}

/** Registers calls of the contract below `/api`, in a scope of their own that parses JSON bodies only. */
export async function registerCalls(
  app: FastifyInstance,
  api: Api,
  declare: (serve: Serve) => void,
): Promise<void> {
  await app.register(
    async (scope) => {
      parseJsonOnly(scope);
      declare(createServe(scope, api));
    },
    { prefix: API_PREFIX },
  );
}
