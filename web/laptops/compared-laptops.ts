import { createStoredLaptops, type StoredLaptop } from './stored-laptops.ts';

/** The maximum number of laptops in a comparison. */
export const MAXIMUM_COMPARED = 4;

const compared = createStoredLaptops({
  key: 'coomercioCompared',
  maximum: MAXIMUM_COMPARED,
  storage: () => sessionStorage,
});

/** The laptops chosen for comparison in this tab, in the order in which they were chosen. */
export const useComparedLaptops = compared.use;

/** Adds a laptop to the comparison. A full comparison stays as it is. */
export function addToComparison(laptop: StoredLaptop): void {
  compared.update((laptops) => [...laptops, laptop]);
}

export function removeFromComparison(id: string): void {
  compared.update((laptops) => laptops.filter(({ _id }) => _id !== id));
}

export function clearComparison(): void {
  compared.update(() => []);
}

/** The URL of the comparison of some laptops. */
export function comparisonUrl(laptops: readonly { _id: string }[]): string {
  const ids = new URLSearchParams(laptops.map(({ _id }) => ['id', _id]));
  return `/laptops/compare${ids.size === 0 ? '' : `?${ids}`}`;
}
