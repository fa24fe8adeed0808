/** A CSV file of lines, with the byte order mark by which spreadsheets recognize UTF-8. */
export const csvFile = (name: string, lines: readonly string[]) => ({
  name: `${name}.csv`,
  text: `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`,
  type: 'text/csv',
});
