import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { EmailBody, MAXIMUM_NAME } from '#contract/identity/schemas.ts';
import { nameRefusal } from '#contract/people/name-rules.ts';
import { toSingleLine } from '#emails/user-text.ts';
import { Refusal } from './refusals.ts';

/** Query with which a page opens the Google window. */
export const PopupRequest = z.object({
  origin: z.string().check(z.maxLength(300, { error: 'This is not an origin', abort: true })),
  nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,128}$/)),
});

/**
 * Parses a request's body, query or path parameters.
 * @throws Refusal `weak_password` when only the password breaks its rule, else `invalid_input`, with a
 *   sentence per field
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '');
    if (field !== '') errors[field] ??= issue.message;
  }
  const [first] = Object.values(errors);
  const missing = errors.password === 'Password is required';
  const code = !missing && Object.keys(errors).join() === 'password' ? 'weak_password' : 'invalid_input';
  throw new Refusal(code, first, errors);
}

/**
 * Refuses a name that nobody can have. An empty one is no name.
 * @param field the field of the request
 * @param shopName the shop's name, which nobody can have
 * @throws Refusal
 */
export function requireAcceptableName(name: string, field: string, shopName: string): void {
  const refusal = name === '' ? null : nameRefusal(name, shopName);
  if (refusal !== null) throw new Refusal('invalid_input', `${refusal}.`, { [field]: refusal });
}

/**
 * Returns the email address in a request's body, as accounts have it; undefined when it is none, such as one with a NUL, which PostgreSQL
 * rejects. The body need not be valid otherwise.
 */
export const emailInBody = (request: FastifyRequest): string | undefined =>
  z.safeParse(EmailBody, request.body).data?.email;

/** Cuts a name of another provider to one line of at most {@link MAXIMUM_NAME} characters. */
export function normalizeName(name: string): string {
  return toSingleLine(name).slice(0, MAXIMUM_NAME).trim();
}

/** The bearer token of a request. */
export const bearerTokenOf = (request: FastifyRequest): string | undefined =>
  /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
