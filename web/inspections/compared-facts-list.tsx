import type { FactComparison } from '#contract/certification/inspections.ts';
import { Section } from '../ui/section.tsx';
import { comparedFactLines } from './compared-facts.ts';

const textClasses = {
  measured: 'font-semibold',
  contradicted: 'font-semibold text-danger',
  not_compared: 'text-muted',
} as const satisfies Record<FactComparison['state'], string>;

/** The facts that a listing states, each with whether the measurement confirms it. */
export function ComparedFactsList({ comparisons }: { comparisons: readonly FactComparison[] }) {
  return (
    <Section title="The listing, fact by fact" level="h3" heading="mb-2 text-lg" className="mb-6">
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
    </Section>
  );
}
