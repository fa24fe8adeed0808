import { type Level, levelNames } from '#contract/listings/level-names.ts';
import { utcDay } from './utc-dates.ts';

/** Only what the shop had in hand is green: from photos it may have checked little. */
const tones = {
  word: 'unchecked',
  measured: 'trust',
  inspected_photos: 'trust',
  inspected_hand: 'good',
} as const satisfies Record<Level, string>;

/** The id of the element that defines a level. */
export const levelDefinitionId = (level: Level) => `level-${level}`;

/** The id of the element that defines the level of the laptop that a page is about. */
export const PAGE_LEVEL_DEFINITION_ID = 'own-level';

/** The text and colour of a level. Loaders make it for pages whose scripts have to be small. */
export interface LevelMark {
  tone: (typeof tones)[Level];
  text: string;
  /** The id of the element that defines it. */
  definition: string;
}

/** The level of a laptop, with its date if that is given. */
export function toLevelMark({
  level,
  level_at: at,
}: {
  level: Level;
  level_at?: string | undefined;
}): LevelMark {
  // Beside the names of checks, the seller's word alone would read like one.
  const addition = level === 'word' ? ', not checked' : at === undefined ? '' : `, ${utcDay(at)}`;
  return {
    tone: tones[level],
    text: `${levelNames[level]}${addition}`,
    definition: levelDefinitionId(level),
  };
}
