import type { ReactNode } from 'react';
import { type Column, Table } from '../ui/table.tsx';
import { ListView, type ListViewProps } from './list-view.tsx';

interface ListTableProps<Item> extends Omit<ListViewProps<Item>, 'children'> {
  columns: readonly Column<Item>[];
  /** Shown when the list is empty. */
  empty: ReactNode;
}

/** A {@link ListView} whose items are rows of a table. */
export function ListTable<Item extends { _id: string }>({ columns, ...view }: ListTableProps<Item>) {
  return (
    <ListView {...view}>
      {(rows) => (
        <Table caption={`Table of ${view.what}`} columns={columns} rows={rows} rowKey={(row) => row._id} />
      )}
    </ListView>
  );
}
