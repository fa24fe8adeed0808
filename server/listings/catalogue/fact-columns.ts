import type {
  Facts,
  GraphicsKind,
  OperatingSystem,
  ProcessorFamily,
  ProcessorGeneration,
} from '#contract/listings/facts.ts';
import type { Level } from '#contract/listings/levels.ts';

/** The columns of a laptop's facts; null when not understood. */
export interface FactColumns {
  memory_gb: number | null;
  storage_gb: number | null;
  screen_inches: number | null;
  processor: ProcessorFamily | null;
  generation: ProcessorGeneration | null;
  graphics: GraphicsKind | null;
  system: OperatingSystem | null;
  /** As the seller wrote it. */
  battery_percent: number | null;
}

/** The columns of a listed laptop's facts. */
export interface ListedFactColumns extends FactColumns {
  level: Level;
  /** Of the latest measurement, which the listing may contradict. */
  measured_battery: number | null;
}

/**
 * The version of the rules by which `contract/listings/facts.ts` reads facts. A higher one makes every stored description be read again.
 */
export const FACTS_VERSION = 4;

/** Facts as they are stored, with the version of the rules. */
export function factColumns(facts: Facts): FactColumns & { facts_version: number } {
  return {
    memory_gb: facts.memory ?? null,
    storage_gb: facts.storage ?? null,
    screen_inches: facts.screen ?? null,
    processor: facts.processor ?? null,
    generation: facts.generation ?? null,
    graphics: facts.graphics ?? null,
    system: facts.system ?? null,
    battery_percent: facts.battery ?? null,
    facts_version: FACTS_VERSION,
  };
}

/**
 * The battery of a listing: the measured one if the listing counts as measured, else the one that the seller wrote, unless a
 * measurement found less. The function `shown_battery` of the database, by which searches filter, has the same rule.
 */
function batteryFacts({
  level,
  battery_percent: written,
  measured_battery: measured,
}: ListedFactColumns): Pick<Facts, 'battery' | 'batteryMeasured'> {
  if (level !== 'word' && measured !== null) return { battery: measured, batteryMeasured: true };
  return written === null || (measured !== null && measured < written) ? {} : { battery: written };
}

/** The facts of a laptop's row. */
export function factsResponse(row: ListedFactColumns): Facts {
  return {
    ...(row.memory_gb !== null && { memory: row.memory_gb }),
    ...(row.storage_gb !== null && { storage: row.storage_gb }),
    ...(row.screen_inches !== null && { screen: row.screen_inches }),
    ...(row.processor !== null && { processor: row.processor }),
    ...(row.generation !== null && { generation: row.generation }),
    ...(row.graphics !== null && { graphics: row.graphics }),
    ...(row.system !== null && { system: row.system }),
    ...batteryFacts(row),
  };
}
