import * as z from 'zod/mini';
import { Refusal } from './refusal.ts';

/** The first message per field; nested names are joined by dots and '' is the whole input. */
function errorsByField(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    errors[field] ??= issue.message;
  }
  return errors;
}

/** Parses a query or a body. @throws Refusal `invalid_input` */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  source: 'query' | 'body',
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const errors = errorsByField(parsed.error.issues);
  const sentence = Object.values(errors)[0] ?? 'It does not fit this call.';
  throw new Refusal(
    'invalid_input',
    source === 'query' ? `The query of this call is invalid: ${sentence}.` : `${sentence}.`,
    {
      errors,
    },
  );
}

/** Parses path parameters. @throws Refusal `not_found` */
export function parseParams<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  // An invalid id is treated like an unknown one.
  throw new Refusal('not_found', 'There is nothing here by that name.');
}

/** The value to parse: undefined for a schema that takes none, whatever was sent. */
export const valueFor = (schema: z.ZodMiniType, value: unknown): unknown =>
  schema._zod.def.type === 'undefined' ? undefined : value;
