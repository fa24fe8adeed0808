import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { href } from 'react-router';
import { SecondaryLink, SmallButton } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';
import { isMissing } from './missing.ts';

interface QueryErrorProps {
  query: Pick<UseQueryResult<unknown>, 'error' | 'isFetching' | 'refetch'>;
  title?: string | undefined;
  heading?: 'h1' | 'h2' | undefined;
}

/** A failed first load with its message and a button to retry. */
export function QueryError({ query, title, heading }: QueryErrorProps) {
  return (
    <ErrorState
      title={title}
      heading={heading}
      message={query.error?.message ?? 'Something went wrong.'}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** What is loaded, as a noun phrase: 'your order'. */
  what: string;
  /** The size of one, or what has the shape of the data. */
  skeleton?: ReactNode;
  /** Of what the address of the page names: the list to link to when there is no such thing. */
  back?: keyof typeof lists;
  children: (data: Data) => ReactNode;
}

/**
 * Renders the data of a query; until they are loaded a skeleton, or the error. A failed refetch keeps the data, and the
 * {@link StaleDataFrame} says so: it must not remove a form that is being filled in.
 */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, what, skeleton = 'h-96', back, children } = props;
  useStaleData(query);
  if (query.data === undefined) {
    if (back !== undefined && isMissing(query.error)) return <NotFound what={what} back={back} />;
    if (query.isError) {
      const heading = back && lists[back].heading;
      return <QueryError query={query} title={`We could not load ${what}`} heading={heading} />;
    }
    return (
      <Loading what={what}>
        {typeof skeleton === 'string' ? <Skeleton className={skeleton} /> : skeleton}
      </Loading>
    );
  }
  return children(query.data);
}

const notOwn =
  'It is not among yours. Perhaps the address is incomplete, or you are signed in with another account.';
const notOfShop = 'The shop has none with this address. Perhaps it is incomplete.';

/**
 * Lists with pages of one of their things, the heading that it leaves to this view: the first if its page has none of its own, and
 * what it says.
 */
const lists = {
  myOrders: { to: href('/dashboard/myOrders'), name: 'My Orders', heading: 'h2', why: notOwn },
  myWishlist: { to: href('/dashboard/myWishlist'), name: 'My Wishlist', heading: 'h2', why: notOwn },
  myProducts: { to: href('/dashboard/myProducts'), name: 'My Products', heading: 'h2', why: notOwn },
  receipts: { to: href('/dashboard/receipts'), name: 'Receipts', heading: 'h1', why: notOwn },
  messages: { to: href('/dashboard/messages/:id?'), name: 'Messages', heading: 'h1', why: notOwn },
  money: {
    to: href('/dashboard/money'),
    name: 'Money',
    heading: 'h1',
    why: 'There is none for this month. Choose another one above.',
  },
  inspections: { to: href('/dashboard/inspections'), name: 'Inspections', heading: 'h2', why: notOfShop },
  pages: { to: href('/dashboard/pages/:id?'), name: 'Pages', heading: 'h1', why: notOfShop },
} as const;

/** In place of what is not there, or not for this account. @param props.back the list to link to */
const NotFound = ({ what, back }: { what: string; back: keyof typeof lists }) => (
  <EmptyState
    heading={lists[back].heading}
    title={`We cannot find ${what}`}
    action={<SecondaryLink to={lists[back].to}>Go to {lists[back].name}</SecondaryLink>}
  >
    {lists[back].why}
  </EmptyState>
);

type Stale = Pick<UseQueryResult<unknown>, 'error' | 'refetch'>;

/** Reports stale data until the returned function is called. */
const StaleData = createContext<(stale: Stale) => () => void>(() => () => undefined);

/** Tells the {@link StaleDataFrame} around the view when the last refetch of what it shows has failed. */
export function useStaleData(query: Stale & Pick<UseQueryResult<unknown>, 'isRefetchError'>): void {
  const report = use(StaleData);
  const { isRefetchError, error, refetch } = query;
  useEffect(
    () => (isRefetchError ? report({ error, refetch }) : undefined),
    [isRefetchError, error, refetch, report],
  );
}

/** A page whose parts read for themselves: one notice above it, however many of them are out of date, with a button to retry. */
export function StaleDataFrame({ children }: { children: ReactNode }) {
  const [stale, setStale] = useState<readonly Stale[]>([]);
  const report = useCallback((part: Stale) => {
    setStale((parts) => [...parts, part]);
    return () => setStale((parts) => parts.filter((each) => each !== part));
  }, []);
  const [first] = stale;
  return (
    <StaleData value={report}>
      {first !== undefined && (
        <ProblemNotice className="mb-4 flex flex-wrap items-center gap-3">
          This may be out of date. {first.error?.message}
          <SmallButton onClick={() => stale.forEach(({ refetch }) => void refetch())}>Try again</SmallButton>
        </ProblemNotice>
      )}
      {children}
    </StaleData>
  );
}
