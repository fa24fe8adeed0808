import type { Laptop } from '#contract/listings/catalogue.ts';
import { conditionDefinitions } from '../laptops/condition-definitions.ts';

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
      <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-[10rem_1fr]">
        {[...fields, ...words].map(([name, text]) => (
          <div key={name} className="sm:contents">
            <dt className="text-muted">{name}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
