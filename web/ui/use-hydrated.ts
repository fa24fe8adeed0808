import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** False until hydration is complete. Before that, the browser itself would submit a form. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
