import { z } from 'zod';
import { badParameter, type Refusal } from './api-error.ts';
import type { FormObject } from './form-encoding.ts';

/** A whole number as it stands in a form. */
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** An empty text unsets a parameter at Stripe. */
export const text = z.string().max(5000);

export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .or(z.literal('').transform(() => ({})));

export const expand = z.array(z.string()).default([]);

const moment = integer;

/** The paging parameters that every list takes. */
export const paging = {
  limit: integer.pipe(z.int().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: moment
    .or(
      z.strictObject({
        gt: moment.optional(),
        gte: moment.optional(),
        lt: moment.optional(),
        lte: moment.optional(),
      }),
    )
    .optional(),
  expand,
};

/**
 * Checks a call's parameters.
 * @throws {Refusal} Stripe's sentence for the first one that is wrong
 */
export function readParameters<S extends z.ZodType>(schema: S, form: FormObject): z.output<S> {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw issue === undefined ? badParameter('', 'Invalid request.') : refusalOf(issue, form);
}

function refusalOf(issue: z.core.$ZodIssue, form: FormObject): Refusal {
  const branch =
    issue.code === 'invalid_union' ? issue.errors.flat().find((one) => one.path.length > 0) : undefined;
  const path = [...issue.path, ...(branch?.path ?? [])].map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = bracketed([...path, issue.keys[0] ?? '']);
    return badParameter(param, `Received unknown parameter: ${param}`, 'parameter_unknown');
  }
  const param = bracketed(path);
  const value = valueAt(form, path);
  if (value === undefined)
    return badParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
  if (issue.code === 'invalid_format') {
    return badParameter(param, `Invalid integer: ${String(value)}`, 'parameter_invalid_integer');
  }
  return badParameter(
    param,
    `Invalid ${param}: ${typeof value === 'string' ? value : 'not a value of the right kind'}`,
  );
}

function bracketed(path: string[]): string {
  const [first = '', ...rest] = path;
  return first + rest.map((part) => `[${part}]`).join('');
}

function valueAt(form: FormObject, path: string[]): unknown {
  let value: unknown = form;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key === part)?.[1];
  }
  return value;
}
