// What is typed as a telephone number, for the form that lists a laptop and for the server. It is not in `scalars.ts`, whose code all
// pages load.
import { isVisible } from '#contract/platform/scalars.ts';

/** Shorter ones are numbers of services such as 112, on which nobody can be called back. */
const MINIMUM_DIGITS = 6;

/** The most digits of a number with its country's code, by E.164. */
const MAXIMUM_DIGITS = 15;

/** Enough for {@link MAXIMUM_DIGITS}, their separators and an extension. The seller's email shows the number. */
const MAXIMUM_LENGTH = 40;

/** An extension at the end of a number, as people write it: `ext. 12`, `x12`, `#12`. */
const extension = /[ ,;.]{0,4}(?:ext(?:ension)?|x|#)[ .:=]{0,3}(\d{1,7})$/i;

/**
 * The prefix of national calls, which some write after the country's code: `+351 (0)912 345 678`. In Italy, San Marino, Ivory Coast, Gabon
 * and Congo the 0 is part of the number.
 */
const nationalPrefix = /^(\+(?!39|378|225|24[12])\d{1,3}) ?\( ?0 ?\) ?/;

/**
 * Removes from a number what other programs put into it, and writes digits, separators and extension in one way. Address books and
 * web pages surround numbers with direction marks (U+202A, U+2066), and separate digits by no-break spaces. A copied link begins with
 * `tel:` (RFC 3966). `00` is the usual prefix of international calls (ITU-T E.164), so at the beginning it means `+`.
 */
const clean = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    // Arabic and Persian digits. NFKC has changed full-width ones.
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[\p{Pd}\u2212/]/gu, '-')
    .replace(/^\s*tel:/i, '')
    // Some write the country code as (+351).
    .replace(/^\s*\((\+\d+)\)/, '$1 ')
    .replace(/\s+/g, ' ')
    .replace(/([().-])\1+/g, '$1')
    .trim()
    .replace(/^00(?=[1-9])/, '+')
    .replace(nationalPrefix, '$1 ')
    .replace(extension, ' ext. $1');

const nameOf = (character: string): string =>
  isVisible(character)
    ? `“${character}”`
    : `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

/** Why a cleaned text is no telephone number; null when it may be one. */
function refusalOf(text: string): string | null {
  const number = text.replace(extension, '');
  const wrong = /[^\d+() .-]/u.exec(number)?.[0];
  if (wrong !== undefined) {
    return `${nameOf(wrong)} cannot be in a phone number. Please type digits, with spaces, hyphens or ( ) between them`;
  }
  if (number.lastIndexOf('+') > number.search(/[\d+]/))
    return 'A phone number can have one + only, at its beginning';
  const digits = number.replace(/\D/g, '').length;
  if (digits < MINIMUM_DIGITS) {
    return `A phone number has at least ${MINIMUM_DIGITS} digits`;
  }
  if (digits > MAXIMUM_DIGITS) {
    return `A phone number has at most ${MAXIMUM_DIGITS} digits`;
  }
  if (text.length > MAXIMUM_LENGTH) {
    return `A phone number has at most ${MAXIMUM_LENGTH} characters: please leave some separators out`;
  }
  return null;
}

/** A number that may be one, or a sentence for its field without its full stop. */
type PhoneText = { text: string } | { refusal: string };

/**
 * Reads a telephone number as people type or paste it. It may have no country code: the server knows the countries' numbers
 * (`server/people/phone-numbers.ts`), and their data is too large for the pages.
 * @param typed as the contract's `telephone` has it
 */
export function readPhoneText(typed: string): PhoneText {
  const text = clean(typed);
  const refusal = refusalOf(text);
  return refusal === null ? { text } : { refusal };
}
