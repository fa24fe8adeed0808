import * as z from 'zod';
import { isOneLine } from '#contract/scalars.ts';

export { MAXIMUM_DRIVES } from '#contract/machine.ts';

const MAXIMUM_VALUE_CHARACTERS = 120;

/** Texts by which firmware says that nobody entered a value. */
const placeholders = new Set([
  '',
  '-',
  '0',
  '00000000',
  '0123456789',
  '123456789',
  '1234567890',
  'base board serial number',
  'chassis serial number',
  'default string',
  'empty',
  'invalid',
  'n/a',
  'na',
  'none',
  'not defined',
  'null',
  'not applicable',
  'not available',
  'not specified',
  'o.e.m.',
  'oem',
  'product name',
  'serial number',
  'ssn12345678901234567',
  'system manufacturer',
  'system product name',
  'system serial number',
  'system version',
  'system123',
  'to be filled by o.e.m.',
  'unknown',
]);

/** A line of text from a machine; null when it is empty, a placeholder, too long or not printable. */
export function toLine(text: string | undefined | null): string | null {
  const value = (text ?? '').trim();
  if (value.length > MAXIMUM_VALUE_CHARACTERS || !isOneLine(value)) return null;
  return placeholders.has(value.toLowerCase()) ? null : value.replace(/ {2,}/g, ' ');
}

const MINIMUM_SERIAL_CHARACTERS = 5;

/** A serial number that can tell one machine from another; null for placeholders such as `XXXXXXXX` and `0000-0000`. */
export function toSerial(text: string | undefined | null): string | null {
  const value = toLine(text);
  const characters = value?.toUpperCase().match(/[0-9A-Z]/g) ?? [];
  return characters.length >= MINIMUM_SERIAL_CHARACTERS && new Set(characters).size > 2 ? value : null;
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

/** A serial number without its middle, such as `PF3…DE`. Short ones are hidden completely. */
export function maskSerial(serial: string): string {
  const characters = [...serial];
  if (characters.length < 8) return '…';
  return `${characters.slice(0, 3).join('')}…${characters.slice(-2).join('')}`;
}

/** Sizes of memory that laptops are sold with, in gigabytes. */
const memorySizes = [2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256];

/** The installed memory, from what is left for the system beside firmware and graphics. @param bytes usable ones */
export function nominalMemory(bytes: number): number | null {
  const gibibytes = bytes / 2 ** 30;
  if (!(gibibytes > 0.5)) return null;
  return memorySizes.find((size) => size >= gibibytes) ?? null;
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
