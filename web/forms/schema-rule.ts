import * as z from 'zod/mini';

/** A schema of the contract as a form field's rule: true, or what is wrong in words. */
export function ruleOf(schema: z.ZodMiniType): (value: unknown) => true | string {
  return (value) => {
    const parsed = z.safeParse(schema, value);
    return parsed.success || (parsed.error.issues[0]?.message ?? 'This needs another look');
  };
}
