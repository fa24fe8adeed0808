/** A table: every row as many cells as there are columns. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The first column reads from the left, the numbers after it stand under each other. */
function aligned(cells: readonly string[], widths: readonly number[]): string[] {
  return cells.map((cell, index) =>
    index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
  );
}

function widthsOf({ columns, rows }: Table): number[] {
  return columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
}

/** The table for a terminal. */
export function plainTable(table: Table): string {
  const widths = widthsOf(table);
  const line = (cells: readonly string[]) => aligned(cells, widths).join('  ').trimEnd();
  return [
    line(table.columns),
    widths.map((width) => '─'.repeat(width)).join('──'),
    ...table.rows.map(line),
  ].join('\n');
}

/** The table in Markdown. */
export function markdownTable(table: Table): string {
  const widths = widthsOf(table);
  const line = (cells: readonly string[]) => `| ${aligned(cells, widths).join(' | ')} |`;
  const rule = widths.map((width, index) =>
    index === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`,
  );
  return [line(table.columns), `|${rule.join('|')}|`, ...table.rows.map(line)].join('\n');
}
