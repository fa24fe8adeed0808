import * as z from 'zod/mini';
import { levels } from './level-names.ts';

export type { Level } from './level-names.ts';

export const LevelName = z.enum(levels, { error: 'Unknown level' });

/** Why what was measured and inspected of a laptop counts no more: its buyer sent it back, or it was not for sale for long. */
export const EvidenceEnd = z.enum(['returned', 'absent']);
export type EvidenceEnd = z.infer<typeof EvidenceEnd>;

/** A laptop's level, as a part of each response that shows a laptop. */
export const levelFields = {
  level: LevelName,
  /** When the laptop was measured by its seller, or inspected by the shop: ISO 8601 in UTC. Missing for the seller's word. */
  level_at: z.optional(z.string()),
};
