import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import type { Settings } from '#contract/operations/settings.ts';
import type { Client } from '#contract/platform/client.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import type { Person, Session } from './session-state.ts';
import { createSessionStore, loadingSession, type SessionStore } from './session-store.ts';

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

/** Provides the session and the shop's settings to the pages below. */
export function SessionProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  const [store] = useState(() =>
    createSessionStore((access) =>
      import('./session-actions.ts').then((loaded) =>
        loaded.createSessionActions(settings.identity.url, access),
      ),
    ),
  );
  useEffect(() => store.start(), [store]);
  return <Context value={{ store, settings }}>{children}</Context>;
}

/** The session; `loading` during server rendering. */
export function useSession(): Session {
  const { store } = useSessionContext();
  return useSyncExternalStore(store.subscribe, store.read, () => loadingSession);
}

export function useSessionStore(): SessionStore {
  return useSessionContext().store;
}

/** The client that calls the shop with the signed-in user's token. */
export function useApi(): Client {
  return useSessionContext().store.client;
}

/** Addresses of the identity provider, the card processor and the image host. */
export function useSettings(): Settings {
  return useSessionContext().settings;
}

/** How the shop presents itself. */
export function useShop(): PublicShop {
  return useSessionContext().settings.shop;
}

/** The same also above the provider, where it is null: in the place of a page that failed. */
export function useShopIfKnown(): PublicShop | null {
  return use(Context)?.settings.shop ?? null;
}

/** The signed-in user, on pages below `require-sign-in.tsx`. */
export function usePerson(): Person {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('This page belongs behind require-sign-in.tsx');
  return session.person;
}
