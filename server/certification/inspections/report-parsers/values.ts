import * as z from 'zod';
import { isOneLine } from '#contract/platform/scalars.ts';

const MAXIMUM_VALUE_CHARACTERS = 120;

/** Texts by which firmware says that nobody entered a value, in lower case. */
const placeholders = new Set([
  '-',
  '0',
  'base board product name',
  'base board serial number',
  'base board version',
  'chassis serial number',
  'default',
  'empty',
  'invalid',
  'lenovo product',
  'n/a',
  'na',
  'no asset tag',
  'no data',
  'no enclosure',
  'none',
  'not applicable',
  'not available',
  'not defined',
  'not set',
  'not specified',
  'null',
  'null string',
  'o.e.m',
  'o.e.m.',
  'oem',
  'product name',
  'serial number',
  'system manufacturer',
  'system name',
  'system product name',
  'system serial number',
  'system version',
  'system123',
  'tbd',
  'undefined',
  'uninitialized',
  'unknow',
  'unknown',
  'unspecified',
]);

/** Placeholders that makers write in several forms, in lower case. */
const placeholderForms: readonly RegExp[] = [
  // `To Be Filled By O.E.M.`, `Fill By OEM`.
  /^(?:to be )?fill(?:ed)?(?: by o\.?e\.?m\.{0,2})?$/,
  // `Default string`, `OEM Default string000`.
  /^(?:oem[ -]?)?default[ _]?string[ _]?\d{0,4}$/,
  // Unedited texts of a firmware's template, such as `Type2 - Board Vendor Name1` and `Type1ProductConfigId`.
  /^type ?\d{1,2}(?: - .+|productconfigid|family)$/,
  // What dmidecode writes for a text that the table lacks, such as `<BAD INDEX>`, and names of variables of a build.
  /^<.*>$/,
  /^\$\(.*\)$/,
  // One digit or sign over and over, or one letter at least three times.
  /^([^a-z])\1+$/,
  /^([a-z])\1{2,}$/,
  // `123456789`, `0123456789ABCDEF`.
  /^0?123456(?:7(?:8(?:9(?:0|a(?:b(?:c(?:d(?:ef?)?)?)?)?)?)?)?)?$/,
];

const isPlaceholder = (text: string) =>
  placeholders.has(text) || placeholderForms.some((form) => form.test(text));

/** A line of text from a machine; null when it is empty, a placeholder, too long or not printable. */
export function toLine(text: string | undefined | null): string | null {
  const trimmed = (text ?? '').trim();
  if (trimmed === '' || trimmed.length > MAXIMUM_VALUE_CHARACTERS || !isOneLine(trimmed)) return null;
  const value = trimmed.replace(/ {2,}/g, ' ');
  return isPlaceholder(value.toLowerCase()) ? null : value;
}

/** Words of a processor's name that name no model: makers, trademark signs, clock rates. */
const genericProcessorWords =
  /\((?:r|tm)\)|[®™]|\b(?:genuine|authentic|genuineintel|authenticamd|intel|amd|corporation|advanced micro devices|inc|new|central|cpu\d?|(?:micro)?processor|mobile|(?:dual|quad)[ -]core|core|socket|technology|version|name|type|unknown|0+)\b|@?\s*\d{1,5}(?:\.\d{1,3})?\s?[gm]hz?\b|[^a-z0-9]+/g;

/**
 * A processor's name as the firmware has it; null for placeholders such as `CPU Version`, for a name without a model such as
 * `Genuine Intel(R) CPU`, for steppings such as `C1`, and for engineering samples.
 */
export function toProcessorName(text: string | undefined | null): string | null {
  const name = toLine(text);
  const words = name?.toLowerCase() ?? '';
  const model = words.replace(genericProcessorWords, ' ').trim();
  if (model.length < 3 || /\beng(?:ineering)? sample\b/.test(words)) return null;
  return name;
}

const MINIMUM_SERIAL_CHARACTERS = 5;

/**
 * Texts of a firmware's template that many machines have as their serial number: digits or letters in their order (`NB-1234567890`,
 * `ABCDEFGH`), names of a variable (`SerNum0`), and words. One machine would pass its locks and reports on to all the others.
 */
const serialPlaceholder =
  /12345678|01234567|ABCDEFG|^(?:A\d_)?(?:SERNUM|PARTNUM)\d{0,2}$|^(?:DEFAULT|INSYDE|LENOVO|RESERVED|SAMPLE|SERIAL|STANDARD|TBFBOEM|NOTEBOOK|LAPTOP)\b/;

/** A serial number that can tell one machine from another; null for placeholders such as `XXXXXXXX` and `0000-0000`. */
export function toSerial(text: string | undefined | null): string | null {
  const value = toLine(text);
  const upperCase = value?.toUpperCase() ?? '';
  const characters = upperCase.match(/[0-9A-Z]/g) ?? [];
  if (characters.length < MINIMUM_SERIAL_CHARACTERS || new Set(characters).size <= 2) return null;
  return serialPlaceholder.test(upperCase) ? null : value;
}

/** A whole number from a machine; null when it is not one of the given range. */
export function toInteger(
  value: string | number | undefined | null,
  minimum: number,
  maximum: number,
): number | null {
  const number =
    typeof value === 'string' ? (/^\d{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return null;
  return number >= minimum && number <= maximum ? number : null;
}

/** The most characters of a serial number that are shown, and the fewest that are hidden: a reader compares it, and cannot copy it. */
const [MAXIMUM_SHOWN, MINIMUM_HIDDEN] = [5, 3];

/** A serial number without its middle, such as `PF3…DE`, or `5C…X3` of a service tag of seven characters. */
export function maskSerial(serial: string): string {
  const characters = [...serial];
  const shown = Math.max(0, Math.min(MAXIMUM_SHOWN, characters.length - MINIMUM_HIDDEN));
  const start = characters.slice(0, Math.ceil(shown / 2));
  const end = characters.slice(characters.length - Math.floor(shown / 2));
  return `${start.join('')}…${end.join('')}`;
}

/** Decimal gigabytes, as drives are sold. @returns null for a size that no laptop's drive has */
export function driveGigabytes(bytes: number | null): number | null {
  if (bytes === null) return null;
  return toInteger(Math.round(bytes / 1e9), 8, 40_000);
}

/**
 * A list of which only the first `maximum` items are validated and kept. Validating a report full of wrong items would block
 * the process for hundreds of milliseconds, because each one makes an issue.
 */
export const firstItems = <Item extends z.ZodType>(item: Item, maximum: number) =>
  z.preprocess((value: unknown) => (Array.isArray(value) ? value.slice(0, maximum) : value), z.array(item));

/** Parses JSON that a command wrote. @returns undefined when it is none */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // A command that failed half-way leaves half a document. Its values are then unknown.
    return undefined;
  }
}
