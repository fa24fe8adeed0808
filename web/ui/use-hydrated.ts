import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False until hydration is complete. Before that, the browser itself would submit a form. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
