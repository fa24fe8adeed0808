import * as z from 'zod/mini';
import { centsFromDollars, formatDollars } from './money.ts';

export { centsFromDollars, dollarsFromCents, formatDollars } from './money.ts';

/** Characters that have no place in what people type: control characters other than tab and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is this pattern's purpose
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

/**
 * A trimmed text between 1 and `max` characters, without control characters (PostgreSQL refuses NUL).
 * @param required what the person reads when it is missing or empty
 */
export function text(max: number, required: string) {
  return z.string({ error: required }).check(
    z.trim(),
    z.minLength(1, { error: required }),
    z.maxLength(max, { error: `At most ${max} characters, please` }),
    z.refine((value) => !controlCharacters.test(value), { error: 'Control characters are not allowed here' }),
  );
}

/** A trimmed text of up to `max` characters that may be left out; an empty one counts as left out. */
export function optionalText(max: number) {
  return z.pipe(
    z.optional(
      z.string({ error: 'This must be a text' }).check(
        z.trim(),
        z.maxLength(max, { error: `At most ${max} characters, please` }),
        z.refine((value) => !controlCharacters.test(value), {
          error: 'Control characters are not allowed here',
        }),
      ),
    ),
    z.transform((value) => (value === '' ? undefined : value)),
  );
}

/** The id of a row, as it travels in `_id`: a UUID in lower case. */
export const Id = z.uuid({ error: 'This is not an id of this shop' });

/** An e-mail address, folded to lower case: the shop knows an address in one spelling only. */
export const Email = z.string({ error: 'Email Address is required' }).check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, { error: 'Email Address is required' }),
  z.maxLength(254, { error: 'This e-mail address is too long' }),
  z.refine((value) => !controlCharacters.test(value), { error: 'This does not look like an e-mail address' }),
  z.regex(/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:"]+$/, {
    error: 'This does not look like an e-mail address',
  }),
);

/** A telephone number as people write it: digits, spaces, brackets, dots, hyphens and one leading plus. */
export function telephone(required: string) {
  return z.pipe(
    z.union([z.string(), z.int().check(z.nonnegative())], { error: required }),
    z.pipe(
      z.transform((value: string | number) => String(value).trim()),
      z.string().check(
        z.minLength(1, { error: required }),
        z.regex(/^\+?[0-9][0-9 ().-]{4,22}[0-9]$/, {
          error: 'A phone number has 6 to 24 digits, and may begin with +',
        }),
      ),
    ),
  );
}

/** The dearest price the shop takes, in cents: beyond it a typing mistake is likelier than a laptop. */
export const MAXIMUM_PRICE_CENTS = 5_000_000;

/** A price in dollars as it arrives: more than 0, whole cents, at most {@link MAXIMUM_PRICE_CENTS}. */
export function price(required: string) {
  return z.number({ error: required }).check(
    z.refine((value) => value > 0, { error: 'A price must be more than $0' }),
    z.refine((value) => value <= MAXIMUM_PRICE_CENTS / 100, {
      error: `A price can be at most ${formatDollars(MAXIMUM_PRICE_CENTS / 100)}`,
    }),
    z.refine((value) => centsFromDollars(value) !== null, {
      error: 'A price is in dollars and cents, such as 549.99',
    }),
  );
}

/** Dollars in an answer. */
export const Dollars = z.number();

/** The roles of the specification, spelled as it spells them. */
export const Role = z.enum(['Buyer', 'Seller', 'Admin']);
export type Role = z.infer<typeof Role>;

/** How lists are asked for page by page. Without `limit` a list answers everything up to its maximum. */
export const Paging = z.object({
  limit: z.optional(
    z.coerce
      .number({ error: 'limit is a number from 1 to 100' })
      .check(
        z.int({ error: 'limit is a whole number from 1 to 100' }),
        z.minimum(1, { error: 'limit is at least 1' }),
        z.maximum(100, { error: 'limit is at most 100' }),
      ),
  ),
  cursor: z.optional(
    z.string().check(z.maxLength(200), z.regex(/^[A-Za-z0-9_-]+$/, { error: 'Unknown cursor' })),
  ),
});
export type Paging = z.infer<typeof Paging>;

/** What a write answers: the shapes of the specification's calls table. */
export const Inserted = z.object({ acknowledged: z.boolean(), insertedId: z.string() });
export const Modified = z.object({ acknowledged: z.boolean(), modifiedCount: z.int() });
export const Deleted = z.object({ acknowledged: z.boolean(), deletedCount: z.int() });
export const Acknowledged = z.object({
  acknowledged: z.boolean(),
  message: z.string(),
  insertedId: z.optional(z.string()),
});
