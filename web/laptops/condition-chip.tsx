import type { Laptop } from '#contract/listings/catalogue.ts';
import { DefinitionChip } from './definition-chip.tsx';

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
