import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalCode } from '#contract/platform/refusals.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { databaseUnavailable, problemDocument, Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The refusal's code, for the log and the metrics; null without a refusal. */
    refusalCode: RefusalCode | null;
  }
}

/** Maps errors of Fastify to refusals of the contract. */
function frameworkRefusal(error: FastifyError): Refusal | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('too_large', 'This is more than the shop takes at once (1 MB).');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type', 'This call takes JSON (application/json).');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new Refusal('malformed_request', 'The request is not well-formed, so nothing was done.');
  }
  // Fastify gives the status 400 to an error of the connection while it reads the body: the client has disconnected.
  if (error.code === 'ECONNRESET' && error.statusCode === 400) {
    return new Refusal('malformed_request', 'The request was not complete, so nothing was done.');
  }
  // Errors of other libraries have status codes too, but a vendor's 4xx is our failure, not the caller's.
  if (!error.code.startsWith('FST_')) return null;
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Refusal('malformed_request', 'The request cannot be read, so nothing was done.');
  }
  return null;
}

/** Maps an error to a refusal. The text of an internal error is logged and never sent. */
export function refusalFromError(error: FastifyError | Error): Refusal {
  if (error instanceof Refusal) return error;
  const framework = 'code' in error && typeof error.code === 'string' ? frameworkRefusal(error) : null;
  if (framework !== null) return framework;
  if (isDatabaseUnavailable(error)) return databaseUnavailable();
  return new Refusal('internal', 'Something went wrong on our side. Please try again in a moment.');
}

/** Fastify's error handler: sends every error as a problem document. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalFromError(error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'a call failed');
  sendProblem(reply, refusal);
}

/** When to try again while the shop is unavailable, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Returns the headers that a page with this status has besides its own. */
export const unavailableHeaders = (status: number): Record<string, string> =>
  status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};

/** The value of Retry-After: whole seconds, at least 1. */
function secondsUntil(moment: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 1000));
}

/** Sets the status and the headers of a refusal, whatever its content type. */
export function setRefusalHeaders(reply: FastifyReply, refusal: Refusal): void {
  const { retryAt } = refusal.details;
  reply.refusalCode = refusal.code;
  if (retryAt !== undefined) {
    reply.header('retry-after', secondsUntil(retryAt));
  } else if (refusal.status === 503) {
    reply.header('retry-after', RETRY_AFTER_SECONDS);
  }
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.code(refusal.status).header('cache-control', 'no-store');
}

/**
 * Sends a refusal as `application/problem+json`.
 * @param members further members of the document
 */
export function sendProblem(
  reply: FastifyReply,
  refusal: Refusal,
  members: Record<string, unknown> = {},
): void {
  setRefusalHeaders(reply, refusal);
  reply
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify({ ...members, ...problemDocument(refusal, reply.request.id) }));
}
