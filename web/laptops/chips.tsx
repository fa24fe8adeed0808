import type { ReactNode } from 'react';
import type { Laptop } from '#contract/listings/catalogue.ts';
import type { LevelMark } from '../formats/level-mark.ts';
import { Badge, badgeTones } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';

interface DefinitionChipProps {
  definitionId: string;
  className: string;
  children: ReactNode;
}

/** A chip that opens its definition ({@link Definitions}). Works without scripts, and above a link that covers its card. */
function DefinitionChip({ definitionId, className, children }: DefinitionChipProps) {
  return (
    <button
      type="button"
      popoverTarget={definitionId}
      className={`relative z-1 inline-flex min-h-7 items-center gap-1 rounded-full py-0.5 pr-2 pl-3 text-left font-semibold text-sm hover:brightness-95 ${className}`}
    >
      {children}
      <Icon name="chevronDown" className="size-4 text-muted" />
    </button>
  );
}

/** The id of the element that defines a condition. */
export const conditionDefinitionId = (condition: Laptop['condition']) =>
  `condition-${condition.toLowerCase()}`;

/** The condition of a laptop, which opens its definition. */
export function ConditionChip({ condition }: Pick<Laptop, 'condition'>) {
  return (
    <DefinitionChip definitionId={conditionDefinitionId(condition)} className="bg-border text-foreground">
      <span className="sr-only">Condition: </span>
      {condition}
    </DefinitionChip>
  );
}

/** How well a laptop's listing is checked; opens what that means. */
export function LevelChip({ level: { tone, text, definition } }: { level: LevelMark }) {
  return (
    <DefinitionChip definitionId={definition} className={badgeTones[tone]}>
      <span className="sr-only">Checked: </span>
      {text}
    </DefinitionChip>
  );
}

/** Says that a laptop is sent for free; nothing for one that is only handed over when both meet. */
export function ShipsFreeChip({ laptop: { delivery } }: { laptop: Pick<Laptop, 'delivery'> }) {
  return delivery === 'meet' ? null : <Badge tone="good">Ships free</Badge>;
}

/** The definitions that the chips of a page open; once on each page with chips. @param props.html from its loader */
export function Definitions({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which escapes all values
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
