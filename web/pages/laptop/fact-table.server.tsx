import { renderToStaticMarkup } from 'react-dom/server';
import { href } from 'react-router';
import type { ComparedFactLine } from '../../inspections/compared-facts.ts';
import type { DisplayedFact } from '../../laptops/displayed-facts.ts';
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

function FactTable({ facts }: { facts: readonly ConfigurationRow[] }) {
  return (
    <dl className="@container border-border border-t [&>div]:border-border [&>div]:border-b">
      {facts.map(({ name, text, search, checks = [] }) => (
        <div key={name} className="grid gap-x-4 @3xs:grid-cols-[minmax(7rem,1fr)_2.5fr] py-2">
          <dt className="text-muted">{name}</dt>
          <dd className="figures min-w-0 [overflow-wrap:anywhere]">
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
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Facts with their texts and what was measured of them, line by line, as HTML, so that browsers need no code for it. */
export const factTableHtml = (facts: readonly ConfigurationRow[]): string =>
  renderToStaticMarkup(<FactTable facts={facts} />);
