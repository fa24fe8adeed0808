import type { FactComparison } from '#contract/certification/inspections.ts';
import { comparedFactLines } from './compared-facts.ts';

const textClasses = {
  measured: 'font-semibold',
  contradicted: 'font-semibold text-danger',
  not_compared: 'text-muted',
} as const satisfies Record<FactComparison['state'], string>;

/** The facts that a listing states, each with whether the measurement confirms it. */
export function ComparedFactsList({ comparisons }: { comparisons: readonly FactComparison[] }) {
  return (
    <section aria-labelledby="compared-facts" className="mb-6">
      <h3 id="compared-facts" className="mb-2 text-lg">
        The listing, fact by fact
      </h3>
      <dl className="@container border-border border-t">
        {comparedFactLines(comparisons).map(({ label, state, text }) => (
          <div
            key={label}
            className="grid gap-x-6 @3xs:grid-cols-[minmax(8rem,1fr)_2fr] border-border border-b py-1.5 sm:grid-cols-[12rem_1fr]"
          >
            <dt className="text-muted">{label}</dt>
            <dd className={textClasses[state]}>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
