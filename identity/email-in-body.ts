import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';

const Body = z.object({
  email: z.string().check(z.trim(), z.maxLength(254, { abort: true }), z.toLowerCase()),
});

/** Returns the e-mail address in a request's body, in lower case. The body need not be valid otherwise. */
export const emailInBody = (request: FastifyRequest): string | undefined =>
  z.safeParse(Body, request.body).data?.email;
