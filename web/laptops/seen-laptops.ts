import { useEffect } from 'react';
import { createStoredLaptops, type StoredLaptop } from './stored-laptops.ts';

const seen = createStoredLaptops({
  key: 'coomercioRecentlySeen',
  maximum: 8,
  storage: () => localStorage,
});

/** The laptops whose pages were opened in this browser, the latest first. */
export const useRecentlySeen = seen.use;

export function clearRecentlySeen(): void {
  seen.update(() => []);
}

/** Records that a laptop's page is open. */
export function useRecordSeen({ _id, name, image }: StoredLaptop): void {
  useEffect(() => {
    seen.update((laptops) => [{ _id, name, image }, ...laptops.filter((laptop) => laptop._id !== _id)]);
  }, [_id, name, image]);
}
