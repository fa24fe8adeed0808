import type { ReactNode } from 'react';
import { type Column, Table } from '../ui/table.tsx';
import { ListView, type ListViewProps } from './list-view.tsx';

interface ListTableProps<Item> extends Omit<ListViewProps<Item>, 'children'> {
  columns: readonly Column<Item>[];
  /** Shown instead of the table when nothing is in it. */
  empty: ReactNode;
}

/** A list as a table with all its states, and a button for its next page. */
export function ListTable<Item extends { _id: string }>({ columns, ...view }: ListTableProps<Item>) {
  return (
    <ListView {...view}>
      {(rows) => (
        <Table caption={`Table of ${view.what}`} columns={columns} rows={rows} rowKey={(row) => row._id} />
      )}
    </ListView>
  );
}
