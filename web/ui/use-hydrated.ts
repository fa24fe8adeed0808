import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and until the page's scripts are in charge: before that, a form would be sent by the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
