import type { UseQueryResult } from '@tanstack/react-query';
import { href } from 'react-router';
import { Problem } from '#contract/client.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';

interface LoadFailureProps {
  /** What could not be loaded, as a noun phrase: 'this order'. */
  what: string;
  query: UseQueryResult<unknown>;
  /** The list to link to. */
  back: 'myOrders' | 'myWishlist';
}

const lists = { myOrders: 'My Orders', myWishlist: 'My Wishlist' } as const;

/** The failure state of a detail page: not found for this account, or not loaded. */
export function LoadFailure({ what, query, back }: LoadFailureProps) {
  const { error } = query;
  // 422: the id in the URL is not a UUID.
  if (error instanceof Problem && (error.status === 404 || error.status === 422)) {
    return (
      <EmptyState
        title={`We cannot find ${what}`}
        action={
          <LinkButton variant="secondary" to={href(`/dashboard/${back}`)}>
            Go to {lists[back]}
          </LinkButton>
        }
      >
        It is not among yours. Perhaps the address is incomplete, or you are signed in with another account.
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title={`We could not load ${what}`}
      message={error?.message ?? 'Something went wrong.'}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}
