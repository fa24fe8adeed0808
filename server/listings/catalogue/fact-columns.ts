import type { Facts } from '#contract/listings/facts.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** The columns of a laptop's facts; null when not understood. The battery is as the seller wrote it. */
const factColumnNames = [
  ...(['memory_gb', 'storage_gb', 'screen_inches', 'processor', 'generation', 'graphics', 'system'] as const),
  'battery_percent',
] as const;

/** The columns that tell the facts of a listing, with the battery of the latest measurement, which the listing may contradict. */
export const listedFactColumns = [...factColumnNames, 'measured_battery', 'level'] as const;

/** The columns of a listed laptop's facts. */
export type ListedFactColumns = Pick<Row<'laptops'>, (typeof listedFactColumns)[number]>;

/**
 * The version of the rules by which `contract/listings/facts.ts` reads facts. A higher one makes every stored description be read again.
 */
export const FACTS_VERSION = 4;

/** Facts as they are stored, with the version of the rules. */
export function factColumns(
  facts: Facts,
): Pick<Row<'laptops'>, (typeof factColumnNames)[number] | 'facts_version'> {
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
