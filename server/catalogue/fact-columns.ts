import type {
  Facts,
  GraphicsKind,
  OperatingSystem,
  ProcessorFamily,
  ProcessorGeneration,
} from '#contract/facts.ts';

/** The columns of a laptop's facts; null when not understood. */
export interface FactColumns {
  memory_gb: number | null;
  storage_gb: number | null;
  screen_inches: number | null;
  processor: ProcessorFamily | null;
  generation: ProcessorGeneration | null;
  graphics: GraphicsKind | null;
  system: OperatingSystem | null;
}

/** The version of the rules in `contract/facts.ts`. A higher one makes every stored description be read again. */
export const FACTS_VERSION = 1;

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
    facts_version: FACTS_VERSION,
  };
}

/** The facts of a laptop's row. */
export function factsResponse(row: FactColumns): Facts {
  return {
    ...(row.memory_gb !== null && { memory: row.memory_gb }),
    ...(row.storage_gb !== null && { storage: row.storage_gb }),
    ...(row.screen_inches !== null && { screen: row.screen_inches }),
    ...(row.processor !== null && { processor: row.processor }),
    ...(row.generation !== null && { generation: row.generation }),
    ...(row.graphics !== null && { graphics: row.graphics }),
    ...(row.system !== null && { system: row.system }),
  };
}
