/** A table. Each row has one cell per column. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Aligns the first column to the left and the numbers in the others to the right. */
function alignCells(cells: readonly string[], widths: readonly number[]): string[] {
  return cells.map((cell, index) =>
    index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
  );
}

function columnWidths({ columns, rows }: Table): number[] {
  return columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
}

/** Formats a table for a terminal. */
export function plainTable(table: Table): string {
  const widths = columnWidths(table);
  const line = (cells: readonly string[]) => alignCells(cells, widths).join('  ').trimEnd();
  return [
    line(table.columns),
    widths.map((width) => '─'.repeat(width)).join('──'),
    ...table.rows.map(line),
  ].join('\n');
}

/** Formats a table in Markdown. */
export function markdownTable(table: Table): string {
  const widths = columnWidths(table);
  const line = (cells: readonly string[]) => `| ${alignCells(cells, widths).join(' | ')} |`;
  const rule = widths.map((width, index) =>
    index === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`,
  );
  return [line(table.columns), `|${rule.join('|')}|`, ...table.rows.map(line)].join('\n');
}
