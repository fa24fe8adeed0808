import * as z from 'zod/mini';
import { centsFromText, formatDollars } from './money.ts';

export { centsFromDollars, dollarsFromCents, formatDollars } from './money.ts';

/**
 * Characters that have no place in what people type: control characters other than tab and line breaks (PostgreSQL
 * refuses NUL), and those that embed or override the direction of text, by which `exe.txt` reads as `txt.exe`.
 */
const hidden = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u;

const lineBreak = /[\t\n\r\u2028\u2029]/;

/** Whether a text is one line without control characters and without characters that reorder it. */
export const isOneLine = (value: string): boolean => !hidden.test(value) && !lineBreak.test(value);

const hiddenRefused = 'Control characters are not allowed here';
const oneLineOnly = 'This must be one line without control characters';

/** A length check that skips the checks after it, so that none of them reads a text of any length. */
function atMost(max: number, error = `At most ${max} characters, please`) {
  return z.maxLength(max, { error, abort: true });
}

const present = (max: number, required: string) =>
  z
    .string({ error: required })
    .check(z.trim(), z.minLength(1, { error: required, abort: true }), atMost(max));

/**
 * A trimmed text between 1 and `max` characters that may have several lines.
 * @param required what the person reads when it is missing or empty
 */
export function text(max: number, required: string) {
  return present(max, required).check(z.refine((value) => !hidden.test(value), { error: hiddenRefused }));
}

/**
 * A trimmed text between 1 and `max` characters on one line: a name, a place.
 * @param required what the person reads when it is missing or empty
 */
export function line(max: number, required: string) {
  return present(max, required).check(z.refine(isOneLine, { error: oneLineOnly }));
}

const emptyIsLeftOut = z.transform((value: string | undefined) => (value === '' ? undefined : value));

const optionalString = (max: number) =>
  z.string({ error: 'This must be a text' }).check(z.trim(), atMost(max));

/** A trimmed text of up to `max` characters that may be left out; an empty one counts as left out. */
export function optionalText(max: number) {
  const value = optionalString(max).check(z.refine((given) => !hidden.test(given), { error: hiddenRefused }));
  return z.pipe(z.optional(value), emptyIsLeftOut);
}

/** A trimmed text of up to `max` characters on one line that may be left out; an empty one counts as left out. */
export function optionalLine(max: number) {
  return z.pipe(
    z.optional(optionalString(max).check(z.refine(isOneLine, { error: oneLineOnly }))),
    emptyIsLeftOut,
  );
}

/** The id of a row, as it travels in `_id`: a UUID in lower case. */
export const Id = z.uuid({ error: 'This is not an id of this shop' });

/**
 * A list of at most `max` items. It is counted before its items are looked at: a megabyte of wrong items would
 * otherwise be answered with a sentence for each.
 * @param tooLong what the person reads when there are more
 */
export function listOf<Item extends z.ZodMiniType>(max: number, item: Item, error: string, tooLong: string) {
  return z.pipe(
    z.transform((value: unknown, context) => {
      if (!Array.isArray(value) || value.length <= max) return value;
      context.issues.push({ code: 'too_big', origin: 'array', maximum: max, input: value, message: tooLong });
      return z.NEVER;
    }),
    z.array(item, { error }),
  );
}

const notAnEmail = 'This does not look like an e-mail address';

/** An e-mail address, folded to lower case: the shop knows an address in one spelling only. */
export const Email = z.string({ error: 'Email Address is required' }).check(
  z.trim(),
  z.minLength(1, { error: 'Email Address is required', abort: true }),
  atMost(254, 'This e-mail address is too long'),
  z.toLowerCase(),
  z.refine(isOneLine, { error: notAnEmail, abort: true }),
  // Each part excludes the character that ends it, so there is one way to match and nothing to try again.
  z.regex(/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(?:\.[^\s@<>()[\]\\,;:".]+)+$/, { error: notAnEmail }),
);

/** A telephone number as people write it: digits, spaces, brackets, dots, hyphens and one leading plus. */
export function telephone(required: string) {
  return z.pipe(
    z.union([z.string(), z.int().check(z.nonnegative())], { error: required }),
    z.pipe(
      z.transform((value: string | number) => String(value).trim()),
      z.string().check(
        z.minLength(1, { error: required, abort: true }),
        z.regex(/^\+?[0-9][0-9 ().-]{4,22}[0-9]$/, {
          error: 'A phone number has 6 to 24 digits, and may begin with +',
        }),
      ),
    ),
  );
}

/** The dearest price the shop takes, in cents: beyond it a typing mistake is likelier than a laptop. */
export const MAXIMUM_PRICE_CENTS = 5_000_000;

const notAPrice = 'A price is in dollars and cents, such as 549.99';

/** What is wrong with a price in dollars, or the price in integer cents. */
function readPrice(dollars: string): number | { error: string } {
  const cents = centsFromText(dollars);
  if (cents === 0 || /^-\d/.test(dollars)) return { error: 'A price must be more than $0' };
  if (cents === null) return { error: notAPrice };
  if (cents > MAXIMUM_PRICE_CENTS) {
    return { error: `A price can be at most ${formatDollars(MAXIMUM_PRICE_CENTS / 100)}` };
  }
  return cents;
}

/**
 * A price in dollars as a number (`549.99`) or, as number inputs give it, as decimal text (`"549.99"`): more than $0,
 * whole cents, at most {@link MAXIMUM_PRICE_CENTS}. It is parsed to integer cents.
 * @param required what the person reads when it is missing or empty
 */
export function price(required: string) {
  return z.pipe(
    z.union([z.number(), z.string()], {
      error: ({ input }) => (input === undefined || input === null ? required : notAPrice),
    }),
    z.transform((dollars: number | string, context) => {
      const written = String(dollars).trim();
      const read = written === '' ? { error: required } : readPrice(written);
      if (typeof read === 'number') return read;
      context.issues.push({ code: 'custom', input: dollars, message: read.error });
      return z.NEVER;
    }),
  );
}

/** A price that the specification sends and that the server takes from its own records instead: read and dropped. */
export const ignoredPrice = z.optional(z.union([z.number(), optionalText(40)]));

/** Dollars in an answer. */
export const Dollars = z.number();

/** The roles of the specification, spelled as it spells them. */
export const Role = z.enum(['Buyer', 'Seller', 'Admin']);
export type Role = z.infer<typeof Role>;

/** The most rows of a page. */
export const MAXIMUM_PAGE_ROWS = 100;

/**
 * How lists are asked for page by page. Without `limit` a page has up to {@link MAXIMUM_PAGE_ROWS} rows. A page of long
 * rows ends earlier, because it is bounded in bytes as well; whether there are more says the Link header alone.
 */
export const Paging = z.object({
  limit: z.optional(
    z.coerce
      .number({ error: 'limit is a number from 1 to 100' })
      .check(
        z.int({ error: 'limit is a whole number from 1 to 100' }),
        z.minimum(1, { error: 'limit is at least 1' }),
        z.maximum(MAXIMUM_PAGE_ROWS, { error: `limit is at most ${MAXIMUM_PAGE_ROWS}` }),
      ),
  ),
  cursor: z.optional(
    z.string().check(atMost(1000), z.regex(/^[A-Za-z0-9_-]+$/, { error: 'Unknown cursor' })),
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
