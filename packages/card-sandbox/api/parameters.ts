import { z } from 'zod';
import { ApiError, invalidParameter } from './api-error.ts';
import type { Call } from './endpoint.ts';
import { parseForm } from './form-encoding.ts';

/**
 * Parses the parameters of a request: in version 2 of the API, bodies are JSON; all others are form-encoded.
 * @throws {ApiError} if they cannot be parsed
 */
export function parseParameters(method: string, path: string, encoded: string): Record<string, unknown> {
  if (method === 'POST' && path.startsWith('/v2/')) return parseJson(encoded);
  try {
    return parseForm(encoded);
  } catch (error) {
    if (error instanceof RangeError) throw invalidParameter('', error.message);
    throw error;
  }
}

function parseJson(body: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(body === '' ? {} : JSON.parse(body));
  } catch {
    throw new ApiError(400, 'invalid_request_error', 'The body is not a JSON object.', {
      code: 'invalid_fields',
    });
  }
}

/** A whole number in form encoding. */
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);

/** An amount that is refunded, transferred, reversed or paid out. Stripe's error for one below 1 has words of its own. */
export const positiveInteger = integer.refine((value) => value > 0);

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const text = z.string().max(5000);

/** An optional text, null if it is missing or empty: at Stripe, an empty text unsets a parameter. */
export const nullableText = text.optional().transform((given) => given || null);

export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .or(z.literal('').transform(() => ({})));

export const expand = z.array(z.string()).default([]);

/** Seconds since 1970. */
const timestamp = integer;

/** The paging parameters of every list. */
export const paging = z.strictObject({
  limit: integer.pipe(z.int().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: timestamp
    .or(
      z.strictObject({
        gt: timestamp.optional(),
        gte: timestamp.optional(),
        lt: timestamp.optional(),
        lte: timestamp.optional(),
      }),
    )
    .optional(),
  expand,
});

/**
 * Validates the parameters of a request.
 * @throws {ApiError} with Stripe's message for the first invalid one
 */
export function readParameters<S extends z.ZodType>(schema: S, form: Record<string, unknown>): z.output<S> {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw issue === undefined ? invalidParameter('', 'Invalid request.') : toApiError(issue, form);
}

const noParameters = z.strictObject({ expand });

/** Returns the id in the path of a request that has no other parameter than `expand`. @throws {ApiError} if it has one */
export function readId({ id, parameters }: Call): string {
  readParameters(noParameters, parameters);
  return id;
}

function toApiError(issue: z.core.$ZodIssue, form: Record<string, unknown>): ApiError {
  const branch =
    issue.code === 'invalid_union' ? issue.errors.flat().find((one) => one.path.length > 0) : undefined;
  const path = [...issue.path, ...(branch?.path ?? [])].map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = bracketName([...path, issue.keys[0] ?? '']);
    return invalidParameter(param, `Received unknown parameter: ${param}`, 'parameter_unknown');
  }
  const param = bracketName(path);
  const value = valueAt(form, path);
  if (value === undefined)
    return invalidParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
  if (issue.code === 'custom') {
    return invalidParameter(param, 'Invalid positive integer', 'parameter_invalid_integer');
  }
  if (issue.code === 'invalid_format') {
    return invalidParameter(param, `Invalid integer: ${String(value)}`, 'parameter_invalid_integer');
  }
  return invalidParameter(
    param,
    `Invalid ${param}: ${typeof value === 'string' ? value : 'not a value of the right kind'}`,
  );
}

function bracketName(path: string[]): string {
  const [first = '', ...rest] = path;
  return first + rest.map((part) => `[${part}]`).join('');
}

function valueAt(form: Record<string, unknown>, path: string[]): unknown {
  let value: unknown = form;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key === part)?.[1];
  }
  return value;
}
