import type { LevelMark } from '../formats/level-mark.ts';
import { badgeTones } from '../ui/badge.tsx';
import { DefinitionChip } from './definition-chip.tsx';

/** How well a laptop's listing is checked; opens what that means. */
export function LevelChip({ level: { tone, text, definition } }: { level: LevelMark }) {
  return (
    <DefinitionChip definitionId={definition} className={badgeTones[tone]}>
      <span className="sr-only">Checked: </span>
      {text}
    </DefinitionChip>
  );
}
