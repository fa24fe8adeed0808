import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { IdentityEndpoint } from '#contract/identity/endpoint.ts';
import type { NewSession, SignInResult } from '#contract/identity/schemas.ts';
import { Refusal } from './refusals.ts';

/** Maximum size of a request body in bytes. */
const BODY_LIMIT = 16 * 1024;

/**
 * Registers the route of an endpoint. The handler parses its input itself, because most endpoints check the bearer
 * token first.
 */
export function serve<E extends IdentityEndpoint>(
  scope: FastifyInstance,
  { method, path }: E,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<z.input<E['response']>>,
): void {
  const hasBody = method === 'POST' || method === 'PATCH';
  scope.route({ method, url: path, handler, ...(hasBody && { bodyLimit: BODY_LIMIT }) });
}

/** @throws Refusal `second_factor_required` when the sign-in is not complete */
export function requireComplete(result: SignInResult): NewSession {
  if ('secondFactor' in result) throw new Refusal('second_factor_required');
  return result;
}
