import { type Level, levelNames } from '#contract/level-names.ts';
import { Badge } from '../ui/badge.tsx';

const tones = { word: 'neutral', measured: 'trust', inspected: 'good' } as const;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** How well a laptop's listing is checked, and since when. */
export function LevelBadge({ laptop: { level, level_at: at } }: LevelBadgeProps) {
  return (
    <Badge tone={tones[level]}>
      {levelNames[level]}
      {at !== undefined && <span className="font-normal">{day.format(new Date(at))}</span>}
    </Badge>
  );
}

interface LevelBadgeProps {
  laptop: { level: Level; level_at?: string | undefined };
}
