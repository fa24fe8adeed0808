// Telephone numbers of all countries, by libphonenumber-js: a maintained port of Google's libphonenumber without dependencies, of which
// the small set of data has each country's calling code, lengths and format.
import parsePhoneNumber, {
  isSupportedCountry,
  type PhoneNumber,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import { readPhoneText } from '#contract/people/telephone.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/http/refusal.ts';

/** Whether the form of a country's telephone numbers is known. @param country in ISO 3166 */
export const isPhoneCountry = (country: string): boolean => isSupportedCountry(country);

const readIn = (country: string | null) => ({
  extract: false,
  ...(country !== null && isSupportedCountry(country) && { defaultCountry: country }),
});

/** As stored: E.164, perhaps with an extension as in RFC 3966 (`+15035550199;ext=12`). */
const toStored = ({ number, ext }: PhoneNumber): string =>
  ext === undefined ? number : `${number};ext=${ext}`;

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

const lengthRefusals = new Map([
  ['TOO_SHORT', 'too few digits'],
  ['TOO_LONG', 'too many digits'],
]);

/** Why a text is no number of a country. */
function refusal(text: string, country: string | null, read: PhoneNumber | undefined): string {
  if (read === undefined) {
    return /^\(?\+/.test(text)
      ? `No country has the code with which ${text} begins`
      : 'Begin with + and the country code, such as +351 912 345 678';
  }
  const reason =
    lengthRefusals.get(validatePhoneNumberLength(text, readIn(country)) ?? '') ??
    'another number of digits than it should have';
  // Several countries share a code such as +1.
  const code = `+${read.countryCallingCode}`;
  const where = read.country === undefined ? code : `${countryNames.of(read.country)} (${code})`;
  const other = text.includes('+') ? '' : '. A number of another country begins with + and its code';
  return `This number has ${reason} for ${where}${other}`;
}

/** A number as it is stored, or a sentence for its field without its full stop. */
type ReadPhone = { stored: string } | { refusal: string };

/** @param text as `readPhoneText` returns it */
function readText(text: string, country: string | null): ReadPhone {
  const read = parsePhoneNumber(text, readIn(country));
  return read?.isPossible() ? { stored: toStored(read) } : { refusal: refusal(text, country, read) };
}

/**
 * Reads a typed number that must be one of a country.
 * @param country of a number without a country code
 */
export function readPhone(typed: string, country: string | null): ReadPhone {
  const phone = readPhoneText(typed);
  return 'text' in phone ? readText(phone.text, country) : phone;
}

/**
 * Reads a typed number. A shop that names no country keeps a number that it cannot read as it is typed: the two people may be
 * neighbours, for whom it is complete.
 */
function readKeptPhone(typed: string, country: string | null): ReadPhone {
  const phone = readPhoneText(typed);
  if (!('text' in phone)) return phone;
  const read = readText(phone.text, country);
  return 'refusal' in read && country === null ? { stored: phone.text } : read;
}

/**
 * The number of a request's body as it is stored.
 * @param field the name of the body's field
 * @throws Refusal for a text that is no number, and when the shop names its country and no country has such a number
 */
export function requirePhone<Field extends string>(
  body: Readonly<Record<Field, string>>,
  field: Field,
  { shop }: Pick<Context, 'shop'>,
): string {
  const read = readKeptPhone(body[field], shop().country);
  if ('stored' in read) return read.stored;
  throw new Refusal('invalid_input', `${read.refusal}. Nothing was saved.`, {
    errors: { [field]: read.refusal },
  });
}

/**
 * A stored number as its country writes it after the country's code: `+351 912 345 678`. One without a country code is
 * returned unchanged, as is the mark of a removed number.
 */
export function formatPhone(stored: string): string {
  if (!stored.startsWith('+')) return stored;
  const read = parsePhoneNumber(stored, { extract: false });
  return read?.isPossible() ? read.formatInternational() : stored;
}
