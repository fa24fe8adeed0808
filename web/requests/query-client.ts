import { QueryClient, QueryClientContext } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { Problem } from '#contract/platform/client.ts';
import { useSession, useSessionStore } from '../session/session.tsx';
import type { SessionStore } from '../session/session-store.ts';

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

let followedStore: SessionStore | null = null;

/** Drops the cache at each sign-out from now on, also while no component uses it. */
function clearAtSignOut(store: SessionStore): void {
  if (followedStore === store) return;
  followedStore = store;
  store.subscribe(() => {
    if (store.read().status === 'signed-out') clearQueries();
  });
}

/** The cache of the signed-in user, also on public pages, which provide none. */
export function useUserCache(): QueryClient {
  const session = useSession();
  const store = useSessionStore();
  useEffect(() => clearAtSignOut(store), [store]);
  return (
    use(QueryClientContext) ?? queryClientFor(session.status === 'signed-in' ? session.person.email : '')
  );
}

/** Drops the cache. */
export function clearQueries(): void {
  cache?.client.clear();
  cache = null;
}
