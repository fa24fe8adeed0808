// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table that is displayed as blocks
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** The column heading. On narrow screens it precedes each cell. */
  heading: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned with tabular figures, on one line. */
  figures?: boolean;
  /** For a last column of buttons: right-aligned, with a heading for screen readers only. */
  hiddenHeading?: boolean;
  /** Fills the width of the card on narrow screens, without the column heading. */
  wide?: boolean;
  /** For a button that stands in the upper right corner of the card on narrow screens. */
  corner?: boolean;
  /** Identifies the row. On narrow screens it heads the card, without the column heading. */
  lead?: boolean;
}

type Cell<Row> = Column<Row>['cell'];

/** The first column, with the name of the row: words that break only between words. An address brings its own `wrap-anywhere`. */
export const nameColumn = <Row,>(heading: string, name: Cell<Row>): Column<Row> => ({
  heading,
  lead: true,
  cell: (row) => <span className="font-semibold">{name(row)}</span>,
});

/** A last column of buttons. */
export const actionColumn = <Row,>(cell: Cell<Row>, heading = 'Actions'): Column<Row> => ({
  heading,
  hiddenHeading: true,
  cell,
});

/** A last column with a menu. */
export const menuColumn = <Row,>(cell: Cell<Row>, heading?: string): Column<Row> => ({
  ...actionColumn(cell, heading),
  corner: true,
});

interface TableProps<Row> {
  /** For screen readers only. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** Where the cell of a column stands in a card: the corner is beside the lead, and all others are below, in their order. */
function columnPlace({ lead, corner }: Pick<Column<never>, 'lead' | 'corner'>, hasCorner: boolean): string {
  if (lead && hasCorner) return '@max-2xl:min-w-0 @max-2xl:flex-[1_1_11rem]';
  return corner
    ? '@max-2xl:order-1 @max-2xl:-mr-2 @max-2xl:ml-auto @max-2xl:self-start @max-2xl:py-0'
    : '@max-2xl:order-2 @max-2xl:w-full';
}

/** A table. In a container narrower than 42 rem each row is displayed as a card, below 16 rem, as with large text on a phone, each heading stands above its cell. */
export function Table<Row>({ caption, columns, rows, rowKey }: TableProps<Row>) {
  const hasCorner = columns.some((column) => column.corner);
  return (
    <div className="@container">
      <table role="table" className="block w-full border-collapse text-left @2xl:table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="sr-only @2xl:not-sr-only @2xl:table-header-group">
          <tr role="row" className="border-border border-b">
            {columns.map((column) => (
              <th
                key={column.heading}
                role="columnheader"
                scope="col"
                className={`px-3 py-3 font-semibold text-muted text-sm ${column.figures ? 'text-right' : ''}`}
              >
                {column.hiddenHeading ? <span className="sr-only">{column.heading}</span> : column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="flex flex-col gap-3 @2xl:table-row-group">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              // With large text, a button in the corner moves below the name.
              className="flex flex-wrap rounded-xl border border-border bg-surface p-3 @2xl:table-row @2xl:rounded-none @2xl:border-0 @2xl:border-b @2xl:bg-transparent @2xl:p-0"
            >
              {columns.map((column) => (
                <td
                  key={column.heading}
                  role="cell"
                  data-heading={
                    column.hiddenHeading || column.lead || column.wide ? undefined : column.heading
                  }
                  className={`flex items-center gap-4 py-1.5 @max-3xs:block @max-3xs:before:block @max-3xs:*:min-w-0 @max-3xs:*:items-start @max-3xs:*:text-left @max-2xl:empty:hidden @2xl:table-cell @2xl:px-3 @2xl:py-3 @2xl:align-middle ${column.lead ? '' : 'justify-between before:text-muted before:shrink-0 before:text-sm before:content-[attr(data-heading)] @2xl:before:content-none'} ${column.wide ? '@max-2xl:block' : ''} ${columnPlace(column, hasCorner)} ${column.figures ? 'figures whitespace-nowrap @2xl:text-right' : column.hiddenHeading ? '@2xl:text-right' : ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
