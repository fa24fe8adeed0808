import type { FactComparison } from '#contract/certification/inspections.ts';
import { FactList } from '../ui/fact-list.tsx';
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
      <FactList
        facts={comparedFactLines(comparisons).map(({ label, state, text }) => ({
          name: label,
          value: <span className={textClasses[state]}>{text}</span>,
        }))}
      />
    </Section>
  );
}
