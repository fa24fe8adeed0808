import type { Laptop } from '#contract/listings/catalogue.ts';
import { conditionDefinitions } from '../laptops/condition-definitions.ts';
import { FactList } from '../ui/fact-list.tsx';

interface ListingTextProps extends Pick<Laptop, 'condition' | 'description'> {
  /** Shown before the description. */
  fields?: readonly (readonly [name: string, text: string])[];
}

/** What a listing says: the condition with its definition, and the seller's description. */
export function ListingText({ condition, description, fields = [] }: ListingTextProps) {
  const words = typeof description === 'string' ? [['Notes', description]] : Object.entries(description);
  return (
    <>
      <p className="mt-4 max-w-prose">
        <strong className="font-semibold">{condition}</strong>: {conditionDefinitions[condition]}
      </p>
      <FactList
        className="mt-4"
        facts={[...fields, ...words].map(([name, text]) => ({
          name: name ?? '',
          value: <span className="whitespace-pre-line">{text}</span>,
        }))}
      />
    </>
  );
}
