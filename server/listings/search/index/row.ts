import type { FacetName } from '#contract/listings/search.ts';
import {
  batteryFloorOf,
  batteryFloors,
  type SearchFilters,
  screenSizeOf,
} from '#contract/listings/search.ts';

/** What the index knows of a laptop. */
export interface LaptopRow {
  /** The ascending number of the laptop; the newest has the highest. At most 2^32 - 1. */
  number: number;
  brand: string;
  condition: string;
  level: string;
  priceCents: number;
  originalCents: number;
  /** Gigabytes. */
  memory: number | null;
  /** Gigabytes. */
  storage: number | null;
  /** Diagonal in inches. */
  screen: number | null;
  /** Capacity of the battery in percent of the one when new. */
  battery: number | null;
  processor: string | null;
  generation: string | null;
  graphics: string | null;
  system: string | null;
  /** Whether the seller is verified. */
  verified: boolean;
  place: string;
  name: string;
  /** The seller's texts of the configuration, without notes, separated by {@link CONFIGURATION_SEPARATOR}. */
  configuration: string;
}

/** As in the function `configuration_text` of the database. */
export const CONFIGURATION_SEPARATOR = ' / ';

/** The number of rows that a step of a copy handles: about a millisecond. */
export const STEP_ROWS = 16_384;

const text = (value: number | null | undefined) =>
  value === null || value === undefined ? null : String(value);

/** The value under which a laptop is stored in each facet; null when it is in none. */
export const facetValues = {
  brand: (row) => row.brand,
  condition: (row) => row.condition,
  level: (row) => row.level,
  memory: (row) => text(row.memory),
  storage: (row) => text(row.storage),
  screen: (row) => (row.screen === null ? null : String(screenSizeOf(row.screen))),
  battery: (row) => text(batteryFloorOf(row.battery)),
  processor: (row) => row.processor,
  generation: (row) => row.generation,
  graphics: (row) => row.graphics,
  system: (row) => row.system,
  verified: (row) => (row.verified ? 'yes' : null),
  place: (row) => row.place,
} as const satisfies Record<FacetName, (row: LaptopRow) => string | null>;

/** The names of the facets, in display order. */
export const facetNames = [
  'brand',
  'condition',
  'level',
  'memory',
  'storage',
  'screen',
  'battery',
  'processor',
  'generation',
  'graphics',
  'system',
  'verified',
  'place',
] as const satisfies readonly FacetName[];

/** The chosen values of a facet. */
export function chosenValues(filters: SearchFilters, facet: FacetName): readonly string[] {
  const chosen = filters[facet];
  if (chosen === undefined) return [];
  return typeof chosen === 'string' ? [chosen] : chosen.map(String);
}

/** The stored values that match a chosen one: a battery of at least 80 percent is stored under 80 or 90. */
export function matchingValues(facet: FacetName, chosen: readonly string[]): readonly string[] {
  if (facet !== 'battery' || chosen.length === 0) return chosen;
  const least = Math.min(...chosen.map(Number));
  return batteryFloors.filter((floor) => floor >= least).map(String);
}
