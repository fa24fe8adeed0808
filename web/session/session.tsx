import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import type { Client } from '#contract/client.ts';
import type { Settings } from '#contract/settings.ts';
import { mayHoldSignIn, onNewsFromTabs } from './identity/traces.ts';
import { createLateStore } from './late-store.ts';
import type { Person, Session, SessionStore } from './store.ts';

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

/** Follows who is signed in, and gives the pages below it their calls. */
export function SessionProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  const [store] = useState(() =>
    createLateStore({
      load: async () => (await import('./open-session.ts')).openSession(settings.identity.url),
      mayHoldSignIn,
      onNews: onNewsFromTabs,
    }),
  );
  useEffect(() => store.start(), [store]);
  return <Context value={{ store, settings }}>{children}</Context>;
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
