/** A table. Each row has one cell per column. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Formats a table for a terminal: the first column to the left, the numbers in the others to the right. */
export function formatTable({ columns, rows }: Table): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(columns), widths.map((width) => '─'.repeat(width)).join('──'), ...rows.map(line)].join('\n');
}
