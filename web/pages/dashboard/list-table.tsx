import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { List } from './use-list.ts';

interface ListTableProps<Item> {
  list: List<Item>;
  /** What the table lists, as a phrase: 'your orders'. */
  what: string;
  columns: readonly Column<Item>[];
  /** Shown instead of the table when nothing is in it. */
  empty: ReactNode;
}

function Waiting({ what }: { what: string }) {
  return (
    <Loading what={what}>
      <Skeleton className="hidden h-8 md:block" />
      <div className="mt-3 flex flex-col gap-3">
        {['first', 'second', 'third', 'fourth'].map((row) => (
          <Skeleton key={row} className="h-44 md:h-16" />
        ))}
      </div>
    </Loading>
  );
}

/** A row that is deleted takes the focused button with it; the list then holds the place of the focus. */
function useFocusKept(rows: readonly { _id: string }[] | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(rows);
  useEffect(() => {
    const here = new Set(rows?.map((row) => row._id));
    const isGone = before.current?.some((row) => !here.has(row._id)) === true;
    if (isGone && document.activeElement === document.body) place.current?.focus();
    before.current = rows;
  }, [rows]);
  return place;
}

/** A list as a table with all its states, and a button for its next page. */
export function ListTable<Item extends { _id: string }>({
  list,
  what,
  columns,
  empty,
}: ListTableProps<Item>) {
  const { data } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const place = useFocusKept(rows);
  if (rows === undefined) {
    if (!list.isError) return <Waiting what={what} />;
    return (
      <ErrorState
        title={`We could not load ${what}`}
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {list.isRefetchError && (
        <p role="alert" className="mb-4 flex flex-wrap items-center gap-3 rounded-lg bg-red-soft px-4 py-2">
          This may be out of date. {list.error.message}
          <Button look="secondary" size="small" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {rows.length === 0 ? (
        empty
      ) : (
        <Table caption={`Table of ${what}`} columns={columns} rows={rows} rowKey={(row) => row._id} />
      )}
      {list.hasNextPage && (
        <div className="mt-6 flex flex-col items-center gap-3">
          {list.isFetchNextPageError && (
            <p role="alert" className="text-red">
              {list.error.message}
            </p>
          )}
          <Button
            look="secondary"
            onClick={() => void list.fetchNextPage()}
            busy={list.isFetchingNextPage && 'Loading more'}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
