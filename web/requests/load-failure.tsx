import type { UseQueryResult } from '@tanstack/react-query';
import { Problem } from '#contract/client.ts';
import { linkTo } from '../links.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';

interface MissingProps {
  /** What could not be loaded, as a phrase: 'this order'. */
  what: string;
  query: UseQueryResult<unknown>;
  /** The list that it would stand in. */
  back: 'myOrders' | 'myWishlist';
}

const lists = { myOrders: 'My Orders', myWishlist: 'My Wishlist' } as const;

/** Why one thing is not shown: it is not there for this account, or it could not be loaded. */
export function Missing({ what, query, back }: MissingProps) {
  const { error } = query;
  // An address with a mistyped id is one that leads nowhere, too.
  if (error instanceof Problem && (error.status === 404 || error.status === 422)) {
    return (
      <EmptyState
        title={`We cannot find ${what}`}
        action={
          <LinkButton look="secondary" to={linkTo(back)}>
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
