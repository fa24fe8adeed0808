import { currency } from './money.ts';

/**
 * A first character with which spreadsheets calculate a cell, also in full width (https://owasp.org/www-community/attacks/CSV_Injection);
 * leading spaces are skipped.
 */
const formulaStart = /^\s*[=+\-@＝＋－＠\t\r]/;

/** Quotes a text for a CSV file (RFC 4180). A text that a spreadsheet would calculate gets an apostrophe in front. */
export function csvText(text: string): string {
  const inert = formulaStart.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}

/** Cents as a decimal number: `-12.50`, and `-1250` in a currency without decimals. */
export function csvCents(cents: number | bigint): string {
  const digits = String(cents < 0 ? -cents : cents).padStart(3, '0');
  const fraction = currency.smallestAmount === 100 ? '' : `.${digits.slice(-2)}`;
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${fraction}`;
}
