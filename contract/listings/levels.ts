import * as z from 'zod/mini';
import { type Level, levels } from './level-names.ts';

export type { Level } from './level-names.ts';

export const LevelName = z.enum(levels, { error: 'Unknown level' });

/** The levels of laptops that the shop has inspected, by the kind of inspection. */
export const inspectedLevels = ['inspected_photos', 'inspected_hand'] as const satisfies readonly Level[];

/** Whether the shop has inspected a laptop, from photos or in hand. */
export const isInspected = (level: Level): level is (typeof inspectedLevels)[number] =>
  inspectedLevels.some((inspected) => inspected === level);

/**
 * How long a laptop can be away from the shop and keep its level, in days. Nobody knows what happened to it since: when it is
 * listed again later, only what was measured in these days counts.
 */
export const MAXIMUM_ABSENCE_DAYS = 90;

/** Why what was measured and inspected of a laptop counts no more: its buyer sent it back, or it was not for sale for long. */
export const EvidenceEnd = z.enum(['returned', 'absent']);
export type EvidenceEnd = z.infer<typeof EvidenceEnd>;

/** A laptop's level, as a part of each response that shows a laptop. */
export const levelFields = {
  level: LevelName,
  /** When the laptop was measured by its seller, or inspected by the shop: ISO 8601 in UTC. Missing for the seller's word. */
  level_at: z.optional(z.string()),
};
