import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { href } from 'react-router';
import type { ComparedFactLine } from '../../inspections/compared-facts.ts';
import type { DisplayedFact } from '../../laptops/displayed-facts.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Icon } from '../../ui/icon.tsx';

/** A row of the configuration, with what the measurement says about it. */
export interface ConfigurationRow extends DisplayedFact {
  checks?: readonly Pick<ComparedFactLine, 'state' | 'text'>[];
}

const checkClasses = {
  measured: 'text-success',
  contradicted: 'font-semibold text-danger',
  not_compared: 'text-muted',
} as const;

const toFact = ({ name, text, search, checks = [] }: ConfigurationRow) => ({
  name,
  value: (
    <>
      {search === undefined ? (
        text
      ) : (
        <a
          href={`${href('/laptops')}?${search}`}
          title="Find others like this"
          className="inline-block min-h-6 underline decoration-border-strong underline-offset-4 hover:decoration-current"
        >
          {text}
        </a>
      )}
      {checks.map(({ state, text: check }) => (
        <span key={check} className={`flex gap-1 text-sm ${checkClasses[state]}`}>
          {state === 'measured' && <Icon name="check" className="mt-0.5 size-4 shrink-0" />}
          {check}
        </span>
      ))}
    </>
  ),
});

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8 sm:mt-10">
      <h2 className="text-xl sm:text-2xl">{title}</h2>
      <div className="mt-3">{children}</div>
    </section>
  );
}

interface LaptopTexts {
  /** The seller's text, or null. */
  words: string | null;
  /** The filled configuration fields, the facts that no field says, and what was measured of them. */
  configuration: readonly ConfigurationRow[];
  /** The section about its measurement as HTML; null when it was not measured. */
  measured: string | null;
}

/** The seller's words, the configuration and the measurement of a laptop as HTML, so that browsers need no code for them. */
export const detailsHtml = ({ words, configuration, measured }: LaptopTexts): string =>
  renderToStaticMarkup(
    <>
      {words !== null && (
        <Section title="In the seller’s words">
          <p className="max-w-prose whitespace-pre-line text-lg [overflow-wrap:anywhere]">{words}</p>
        </Section>
      )}
      <Section title="Product Configuration">
        <FactList facts={configuration.map(toFact)} />
      </Section>
      {measured !== null && (
        <Section title="Measured">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which escapes all values */}
          <div dangerouslySetInnerHTML={{ __html: measured }} />
        </Section>
      )}
    </>,
  );
