import { useSyncExternalStore } from 'react';

const nothing: readonly string[] = [];
let wished = nothing;
const listeners = new Set<() => void>();

/** Changes the list by replacing it: a list that is only added to would look unchanged to React. */
export function wish(laptop: string) {
  if (wished.includes(laptop)) return;
  wished = [...wished, laptop];
  for (const notify of listeners) notify();
}

export function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const read = () => wished;

/** On the server the list is always empty: a module there is shared by everybody who visits. */
export function useWished() {
  return useSyncExternalStore(subscribe, read, () => nothing);
}
