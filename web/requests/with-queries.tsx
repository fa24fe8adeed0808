import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { usePerson, useSessionStore } from '../session/session.tsx';
import { clearQueries, queryClientFor } from './query-client.ts';

/** Provides the signed-in user's query cache, and drops it after a sign-out. */
export function WithQueries({ children }: { children: ReactNode }) {
  const { email } = usePerson();
  const store = useSessionStore();
  useEffect(
    () => () => {
      if (store.read().status === 'signed-out') clearQueries();
    },
    [store],
  );
  return <QueryClientProvider client={queryClientFor(email)}>{children}</QueryClientProvider>;
}
