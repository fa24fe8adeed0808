import * as z from 'zod/mini';
import { amountFromCents, amountHint, centsFromText, currency, formatAmount } from './money.ts';

export { amountFromCents, centsFromAmount, formatAmount } from './money.ts';

/**
 * Characters that are not allowed in text: control characters except tab and line breaks (PostgreSQL rejects NUL),
 * unpaired surrogates (`jsonb` rejects them), and bidirectional overrides, which can show `exe.txt` as `txt.exe`.
 */
const hidden = /[^\P{Cc}\t\n\r]|[\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/** A character that shows something: no space, no format character, no filler, not the empty braille pattern. */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows something. One of zero-width spaces looks like none. */
export const isVisible = (value: string): boolean => visible.test(value);

const lineBreak = /[\t\n\r\u2028\u2029]/;

/** Whether a text is one line without control characters and bidirectional overrides. */
export const isOneLine = (value: string): boolean => !hidden.test(value) && !lineBreak.test(value);

const noControlCharacters = 'Control characters are not allowed here';
export const oneLineOnly = 'This must be one line without control characters';

/** A length check that aborts further checks, so that they never run on long texts. */
function atMost(max: number, error = `At most ${max} characters, please`) {
  return z.maxLength(max, { error, abort: true });
}

const requiredString = (max: number, required: string) =>
  z.string({ error: required }).check(
    z.trim(),
    // These two do not abort: the rules of an object run beside an empty field of it.
    z.minLength(1, { error: required }),
    atMost(max),
    z.refine((given) => given === '' || isVisible(given), { error: required }),
  );

/**
 * A trimmed text of 1 to `max` characters, with line breaks. One of them is visible.
 * @param required the message for a missing or empty value
 */
export function text(max: number, required: string) {
  return requiredString(max, required).check(
    z.refine((value) => !hidden.test(value), { error: noControlCharacters }),
  );
}

/**
 * A trimmed line of 1 to `max` characters. One of them is visible.
 * @param required the message for a missing or empty value
 */
export function line(max: number, required: string) {
  return requiredString(max, required).check(z.refine(isOneLine, { error: oneLineOnly }));
}

const emptyToUndefined = z.transform((value: string | undefined) =>
  value === undefined || !isVisible(value) ? undefined : value,
);

const optionalString = (max: number) =>
  z.string({ error: 'This must be a text' }).check(z.trim(), atMost(max));

/** An optional, trimmed text of up to `max` characters. One without a visible character counts as missing. */
export function optionalText(max: number) {
  const value = optionalString(max).check(
    z.refine((given) => !hidden.test(given), { error: noControlCharacters }),
  );
  return z.pipe(z.optional(value), emptyToUndefined);
}

/** An optional, trimmed line of up to `max` characters. One without a visible character counts as missing. */
export function optionalLine(max: number) {
  return z.pipe(
    z.optional(optionalString(max).check(z.refine(isOneLine, { error: oneLineOnly }))),
    emptyToUndefined,
  );
}

/** The id of a row in `_id`: a UUID in lower case. */
export const Id = z.uuid({ error: 'This is not an id of this shop' });

/**
 * A list of at most `max` items. The length is checked before the items, so that a megabyte of invalid items causes one error.
 * @param tooLong the message for a longer list
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

const notAnEmail = 'This does not look like an email address';

/** Letters, digits and dots of all scripts. Anything else could end the host name of a URL. */
const internationalDomain = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u;

/**
 * The one way in which an email address is stored and compared: trimmed, in lower case, and with its domain in ASCII, as mail servers have
 * it (`bücher.example` is `xn--bcher-kva.example`, RFC 5891). Some browsers convert the domain in email fields, and others do not.
 */
export function normalizeEmail(address: string): string {
  const email = address.trim().toLowerCase();
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const url = `http://${domain}`;
  if (!/[^\0-\x7F]/.test(domain) || !internationalDomain.test(domain) || !URL.canParse(url)) return email;
  return email.slice(0, -domain.length) + new URL(url).hostname;
}

/** An email address, as {@link normalizeEmail} returns it. */
export const Email = z.string({ error: 'Email Address is required' }).check(
  z.trim(),
  z.minLength(1, { error: 'Email Address is required', abort: true }),
  atMost(254, 'This email address is too long'),
  z.overwrite(normalizeEmail),
  z.refine(isOneLine, { error: notAnEmail, abort: true }),
  // Each part excludes its terminator, so the expression cannot backtrack.
  z.regex(/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(?:\.[^\s@<>()[\]\\,;:".]+)+$/, { error: notAnEmail }),
);

/**
 * A telephone number as it is typed, at most as long as one with separators and an extension. `readPhoneText` of `telephone.ts` checks it.
 * @param required the message for a missing or empty value
 */
export function telephone(required: string) {
  const number = z.union([z.string(), z.int().check(z.nonnegative({ error: required }))], {
    error: required,
  });
  return z.pipe(number, z.pipe(z.transform(String), requiredString(100, required)));
}

/** A country in ISO 3166, such as `US`. */
export const CountryCode = z
  .string({ error: 'Choose a country' })
  .check(z.regex(/^[A-Z]{2}$/, { error: 'Choose a country' }));

const notAPrice = () => `A price is ${amountHint()}`;

/** Parses a price. @returns integer cents, or an error */
function parsePrice(given: string): number | { error: string } {
  const cents = centsFromText(given);
  if (cents === 0 || /^-\d/.test(given)) return { error: `A price must be more than ${currency.sign}0` };
  if (cents === null) return { error: notAPrice() };
  if (cents > currency.mostCents) {
    return { error: `A price can be at most ${formatAmount(amountFromCents(currency.mostCents))}` };
  }
  return cents;
}

/**
 * A price as a number (`549.99`) or as decimal text (`"549.99"`), the value of number inputs: more than $0, whole
 * cents, at most `currency.mostCents`. It is parsed to integer cents.
 * @param required the message for a missing or empty value
 */
export function price(required: string) {
  return z.pipe(
    z.union([z.number(), z.string()], {
      error: ({ input }) => (input === undefined || input === null ? required : notAPrice()),
    }),
    z.transform((given: number | string, context) => {
      const written = String(given).trim();
      const read = written === '' ? { error: required } : parsePrice(written);
      if (typeof read === 'number') return read;
      context.issues.push({ code: 'custom', input: given, message: read.error });
      return z.NEVER;
    }),
  );
}

/** A price that the specification sends. It is ignored, because the server uses its own records. */
export const ignoredPrice = z.optional(z.union([z.number(), optionalText(40)]));

/** The currency of the amounts of a response, in ISO 4217, such as `EUR`. */
export const CurrencyName = z.string();

/** An amount in a response, in the shop's currency. */
export const MoneyAmount = z.number();

/** The roles, spelled as in the specification. */
export const Role = z.enum(['Buyer', 'Seller', 'Admin']);
export type Role = z.infer<typeof Role>;

/** The maximum number of rows of a page. */
export const MAXIMUM_PAGE_ROWS = 100;

/**
 * Paging parameters of lists. The default `limit` is {@link MAXIMUM_PAGE_ROWS}. A page may have fewer rows, because it is also
 * limited in bytes. Only the Link header tells whether there are more.
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

/** The responses of writes, as in the specification's table of calls. */
export const Inserted = z.object({ acknowledged: z.boolean(), insertedId: z.string() });
export const Modified = z.object({ acknowledged: z.boolean(), modifiedCount: z.int() });
export const Deleted = z.object({ acknowledged: z.boolean(), deletedCount: z.int() });
export const Acknowledged = z.object({
  acknowledged: z.boolean(),
  message: z.string(),
  insertedId: z.optional(z.string()),
});
