import { QueryClient, QueryClientContext } from '@tanstack/react-query';
import { use } from 'react';
import { Problem } from '#contract/platform/client.ts';
import { useSession } from '../session/session.tsx';

const isRefusal = (error: Error) => error instanceof Problem && error.status >= 400 && error.status < 500;

/** The specification's fetching constants. A refusal is not retried. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && !isRefusal(error),
        retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 30_000),
        gcTime: 5 * 60_000,
        staleTime: 10_000,
        // Fresh answers too: a user who comes back to a page expects its present state.
        refetchOnWindowFocus: 'always',
        refetchOnReconnect: 'always',
        // Without a connection a call fails at once. The default would wait for one without a word.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

let cache: { email: string; client: QueryClient } | null = null;

/** The user's query cache, shared by all pages. Another user gets an empty one. */
export function queryClientFor(email: string): QueryClient {
  if (cache?.email !== email) cache = { email, client: createQueryClient() };
  return cache.client;
}

/** The cache of the signed-in user, also on public pages, which provide none. */
export function useUserCache(): QueryClient {
  const session = useSession();
  return (
    use(QueryClientContext) ?? queryClientFor(session.status === 'signed-in' ? session.person.email : '')
  );
}

/** Drops the cache, after a sign-out. */
export function clearQueries(): void {
  cache?.client.clear();
  cache = null;
}
