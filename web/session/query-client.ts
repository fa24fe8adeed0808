import { QueryClient } from '@tanstack/react-query';
import { Problem } from '#contract/client.ts';

const isOurMistake = (error: Error) => error instanceof Problem && error.status >= 400 && error.status < 500;

/** The specification's fetching constants; a refusal is an answer and is not asked for again. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && !isOurMistake(error),
        retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 30_000),
        gcTime: 5 * 60_000,
        staleTime: 10_000,
        // However fresh an answer is: who comes back to a page wants to see how things stand now.
        refetchOnWindowFocus: 'always',
        refetchOnReconnect: 'always',
        // Without a connection a call fails and says so; waiting for one would leave the page waiting for ever.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

let cache: { email: string; client: QueryClient } | null = null;

/** The cache of one person, the same on every page; another person starts with an empty one. */
export function queryClientOf(email: string): QueryClient {
  if (cache?.email !== email) cache = { email, client: createQueryClient() };
  return cache.client;
}

/** Forgets what was fetched, once nobody is signed in. */
export function forgetQueries(): void {
  cache?.client.clear();
  cache = null;
}
