import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { isAdmin, isBuyer, isSeller } from '#contract/accounts.ts';
import type { Client } from '#contract/client.ts';
import type { Settings } from '#contract/settings.ts';
import { createQueryClient } from './query-client.ts';
import { createSessionStore, type Person, type Session, type SessionStore } from './store.ts';

interface SessionContext {
  store: SessionStore;
  settings: Settings;
}

const Context = createContext<SessionContext | null>(null);

function useSessionContext(): SessionContext {
  const context = use(Context);
  if (context === null) throw new Error('SessionProvider is missing above this component');
  return context;
}

/** Follows who is signed in, and gives the pages below it their calls and their cache. */
export function SessionProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [store] = useState(() =>
    createSessionStore({
      identity: async () => {
        const { connectIdentity } = await import('./connect-identity.ts');
        return connectIdentity(settings.identity.url);
      },
      fetch: (url, init) => fetch(url, init),
      storage: () => localStorage,
      onSignedOut: () => queryClient.clear(),
    }),
  );
  useEffect(() => store.start(), [store]);
  return (
    <Context value={{ store, settings }}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </Context>
  );
}

const loading: Session = { status: 'loading' };

/** Who is signed in, now. On the server always `loading`. */
export function useSession(): Session {
  const { store } = useSessionContext();
  return useSyncExternalStore(store.subscribe, store.read, () => loading);
}

/** What can be done about it: sign in, register, sign out, try again. */
export function useSessionActions(): SessionStore {
  return useSessionContext().store;
}

/** The calls of the contract, made in the name of who is signed in. */
export function useApi(): Client {
  return useSessionContext().store.client;
}

/** Where the providers behind the shop are. */
export function useSettings(): Settings {
  return useSessionContext().settings;
}

/** Who is signed in, on pages that only they can see. */
export function usePerson(): Person {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('This page belongs behind for-signed-in.tsx');
  return session.person;
}

export interface Roles {
  isAdmin: boolean;
  isBuyer: boolean;
  isSeller: boolean;
}

export type RoleCheck =
  | { status: 'pending' }
  | { status: 'failed'; message: string; retry: () => void; retrying: boolean }
  | ({ status: 'known' } & Roles);

/** The roles of who is signed in, as the server answers them; `pending` also while nobody is. */
export function useRoles(): RoleCheck {
  const api = useApi();
  const session = useSession();
  const email = session.status === 'signed-in' ? session.person.email : null;
  const query = useQuery({
    queryKey: ['roles', email],
    enabled: email !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Roles> => {
      const input = { params: { email: email ?? '' }, signal };
      const [admin, buyer, seller] = await Promise.all([
        api.call(isAdmin, input),
        api.call(isBuyer, input),
        api.call(isSeller, input),
      ]);
      return { ...admin, ...buyer, ...seller };
    },
  });
  if (query.data !== undefined) return { status: 'known', ...query.data };
  if (query.isError) {
    return {
      status: 'failed',
      message: query.error.message,
      retry: () => void query.refetch(),
      retrying: query.isFetching,
    };
  }
  return { status: 'pending' };
}
