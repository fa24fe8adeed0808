import { downloadFile } from '../ui/download-file.ts';

/** Spreadsheets run cells that begin so as formulas; a number may begin with a minus sign. */
const formula = /^[=+\-@\t\r]/;
const number = /^-?\d+(\.\d+)?$/;

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

/** Starts a download of a CSV file whose lines the server has written. */
export const downloadCsvLines = (name: string, lines: readonly string[]): void =>
  downloadFile(name, { text: fileOf(lines), type: 'text/csv' });
