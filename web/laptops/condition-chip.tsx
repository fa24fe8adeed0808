import type { Laptop } from '#contract/catalogue.ts';
import { Icon } from '../ui/icon.tsx';

/** What sellers mean by a condition. */
export const conditionDefinitions: Readonly<Record<Laptop['condition'], string>> = {
  Excellent: 'Everything works. Signs of use are faint, and you have to look for them.',
  Good: 'Everything works. Signs of use show, such as light scratches or keys that shine.',
  Fair: 'It works, and it shows its years: scratches, dents, a tired battery or a named flaw. Read the seller’s words.',
};

const definitionId = (condition: string) => `condition-${condition.toLowerCase()}`;

/**
 * The condition of a laptop. Opens its definition, which {@link ConditionDefinitions} of the same page contains. Works
 * without scripts, and above a link that covers its card.
 */
export function ConditionChip({ condition }: Pick<Laptop, 'condition'>) {
  return (
    <button
      type="button"
      popoverTarget={definitionId(condition)}
      className="relative z-1 inline-flex min-h-7 items-center gap-1 rounded-full bg-line py-0.5 pr-2 pl-3 font-semibold text-ink text-sm hover:bg-sunken"
    >
      <span className="sr-only">Condition: </span>
      {condition}
      <Icon d="m5.5 8 4.5 4.5L14.5 8" className="size-4 text-quiet" />
    </button>
  );
}

/** The definitions that the chips of a page open; once on each page with chips. */
export function ConditionDefinitions() {
  return Object.entries(conditionDefinitions).map(([condition, definition]) => (
    <p
      key={condition}
      id={definitionId(condition)}
      popover="auto"
      className="popover-at-button max-w-76 rounded-xl border border-line bg-surface px-4 py-3 text-ink text-sm shadow-raised"
    >
      <strong className="font-semibold">{condition}.</strong> {definition} The seller chose this grade.
    </p>
  ));
}
