import type { FactField, Facts } from '#contract/listings/facts.ts';

/** The fact that is read from each configuration field. */
export const factOfField = {
  Memory: 'memory',
  Storage: 'storage',
  Display: 'screen',
  Processor: 'processor',
  Graphics: 'graphics',
  Battery: 'battery',
  Operating: 'system',
} as const satisfies Record<FactField, keyof Facts>;
