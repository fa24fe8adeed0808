import type { Laptop } from '#contract/catalogue.ts';
import { Icon } from '../ui/icon.tsx';

/** What sellers mean by a condition. */
export const conditionDefinitions: Readonly<Record<Laptop['condition'], string>> = {
  Excellent: 'Everything works. Signs of use are faint, and you have to look for them.',
  Good: 'Everything works. Signs of use show, such as light scratches or keys that shine.',
  Fair: 'It works, and it shows its years: scratches, dents, a tired battery or a named flaw. Read the seller’s words.',
};

/** The condition of a laptop; opens its definition. Works without scripts. */
export function ConditionChip({ condition }: Pick<Laptop, 'condition'>) {
  return (
    <details className="group max-w-prose">
      <summary className="inline-flex min-h-9 list-none items-center gap-1.5 rounded-full bg-leaf-soft px-3.5 py-1 font-semibold text-leaf [&::-webkit-details-marker]:hidden">
        <span>
          <span className="sr-only">Condition: </span>
          {condition}
        </span>
        <Icon d="m5.5 8 4.5 4.5L14.5 8" className="size-4 group-open:rotate-180" />
      </summary>
      <p className="mt-2 text-quiet">{conditionDefinitions[condition]} The seller chose this grade.</p>
    </details>
  );
}
