import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import type { Page } from '#contract/platform/client.ts';
import { QueryError, useStaleData } from '../requests/query-view.tsx';
import { readNextPage } from '../requests/read-next-page.ts';
import { type ListCallParameters, type ListEndpoint, listQueryOptions } from '../requests/reads.ts';
import { useApi } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorText } from '../ui/error-text.tsx';
import { Skeletons } from '../ui/skeletons.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';

type List<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item[]>>>;

interface ListOptions {
  /** False for lists that follow the stream of changes, which opens again with the connection. */
  refetchOnReconnect?: 'always' | false;
}

/** Loads a list of the contract page by page. @param parameters of all pages */
export function useList<Item>(
  endpoint: ListEndpoint<Item>,
  parameters: ListCallParameters = {},
  { refetchOnReconnect = 'always' }: ListOptions = {},
): List<Item> {
  return useInfiniteQuery({
    ...listQueryOptions(useApi(), endpoint, parameters),
    // Another page may have changed the list since the cached response.
    refetchOnMount: 'always',
    refetchOnReconnect,
    // The results of the previous search stay visible while the next one loads.
    placeholderData: keepPreviousData,
  });
}

interface ListViewProps<Item> extends ListOptions {
  /** The call that reads it page by page. */
  endpoint: ListEndpoint<Item>;
  /** Of all pages. */
  parameters?: ListCallParameters;
  /** The content as a noun phrase: 'your orders'. */
  what: string;
  /** Shown when the list is empty; with a title, its explanation. */
  empty: ReactNode;
  emptyTitle?: string;
  /** With a title: the next step when the list is empty. */
  emptyAction?: ReactNode;
  /** Shown while it is loading; left out: rows. */
  skeleton?: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}

function RowsSkeleton() {
  return (
    <>
      <Skeleton className="hidden h-8 md:block" />
      <div className="mt-3">
        <Skeletons className="h-44 md:h-16" />
      </div>
    </>
  );
}

/** Renders the items in a component of its own, so that the boundary around it catches what fails. */
function Items<Item>({
  items,
  children,
}: {
  items: readonly Item[];
  children: (items: readonly Item[]) => ReactNode;
}) {
  return children(items);
}

/** Renders a paged list in each of its states: loading, failed, empty, stale, with a button for the next page. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { endpoint, parameters, what, empty, emptyTitle, emptyAction, skeleton, children } = props;
  const list = useList(endpoint, parameters, props);
  const { data } = list;
  useStaleData(list);
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  if (items === undefined) {
    if (!list.isError) return <Loading what={what}>{skeleton ?? <RowsSkeleton />}</Loading>;
    return <QueryError query={list} title={`We could not load ${what}`} />;
  }
  return (
    <div
      aria-busy={list.isPlaceholderData || undefined}
      className={`transition-opacity duration-150 ${list.isPlaceholderData ? 'opacity-60' : ''}`}
    >
      {items.length === 0 ? (
        emptyTitle === undefined ? (
          empty
        ) : (
          <EmptyState title={emptyTitle} action={emptyAction}>
            {empty}
          </EmptyState>
        )
      ) : (
        // An item that cannot be shown takes neither the page nor its other parts along.
        <ErrorBoundary
          fallbackRender={({ resetErrorBoundary }) => (
            <ErrorState
              title={`We could not show ${what}`}
              message="Nothing was changed. Please try again, or reload the page."
              onRetry={resetErrorBoundary}
            />
          )}
          // It may have failed on the data.
          onReset={() => void list.refetch()}
          resetKeys={[items]}
        >
          <Items items={items}>{children}</Items>
        </ErrorBoundary>
      )}
      {list.hasNextPage && (
        <div className="mt-6 flex flex-col items-center gap-3">
          {list.isFetchNextPageError && <ErrorText>{list.error.message}</ErrorText>}
          <Button
            variant="secondary"
            onClick={() => void readNextPage(list)}
            busy={list.isFetchingNextPage && 'Loading more'}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

interface ListCardsProps<Item> extends Omit<ListViewProps<Item>, 'children'> {
  card: (item: Item) => ReactNode;
}

/** A {@link ListView} whose items stand below each other. */
export function ListCards<Item extends { _id: string }>({ card, ...view }: ListCardsProps<Item>) {
  return (
    <ListView {...view}>
      {(items) => (
        <ul className="flex flex-col gap-6">
          {items.map((item) => (
            <li key={item._id}>{card(item)}</li>
          ))}
        </ul>
      )}
    </ListView>
  );
}

interface ListTableProps<Item> extends Omit<ListViewProps<Item>, 'children'> {
  columns: readonly Column<Item>[];
}

/** A {@link ListView} whose items are rows of a table. */
export function ListTable<Item extends { _id: string } | { number: string }>(props: ListTableProps<Item>) {
  const { columns, ...view } = props;
  const keyOf = (row: Item) => ('_id' in row ? row._id : row.number);
  return (
    <ListView {...view}>
      {(rows) => <Table caption={`Table of ${view.what}`} columns={columns} rows={rows} rowKey={keyOf} />}
    </ListView>
  );
}
