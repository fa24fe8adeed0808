import { currency } from '#contract/platform/money.ts';
import { downloadFile } from '../ui/download-file.ts';

/** Spreadsheets run cells that begin so as formulas; a number may begin with a minus sign. */
const formula = /^[=+\-@\t\r]/;
const number = /^-?\d+(\.\d+)?$/;

/** Formats cents as a plain decimal number for other programs: `-12.50`, and `-1250` in a currency without decimals. */
export function plainCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const fraction = currency.smallestAmount === 100 ? '' : `.${digits.slice(-2)}`;
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${fraction}`;
}

/** One cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula is preceded by an apostrophe. */
function csvCell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /["\n\r,;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file of lines, with the byte order mark by which spreadsheets recognize UTF-8. */
const fileOf = (lines: readonly string[]) => `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`;

/** A CSV file. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  fileOf(rows.map((row) => row.map(csvCell).join(',')));

/** Starts a download of a CSV file. */
export const downloadCsv = (name: string, rows: readonly (readonly string[])[]): void =>
  downloadFile(name, { text: toCsv(rows), type: 'text/csv' });

/** A CSV file whose lines the server has written. */
export const csvFile = (name: string, lines: readonly string[]) => ({
  name: `${name}.csv`,
  text: fileOf(lines),
  type: 'text/csv',
});
