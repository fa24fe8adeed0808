import { href, Link } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import type { ConfigurationRow } from './shown-laptop.ts';

const checkClasses = {
  measured: 'text-success',
  contradicted: 'font-semibold text-danger',
  not_compared: 'text-muted',
} as const;

/** Facts with their texts and what was measured of them, line by line. */
export function FactTable({ facts }: { facts: readonly ConfigurationRow[] }) {
  return (
    <dl className="@container border-border border-t [&>div]:border-border [&>div]:border-b">
      {facts.map(({ name, text, search, checks = [] }) => (
        <div key={name} className="grid gap-x-4 @3xs:grid-cols-[minmax(7rem,1fr)_2.5fr] py-2">
          <dt className="text-muted">{name}</dt>
          <dd className="figures min-w-0 [overflow-wrap:anywhere]">
            {search === undefined ? (
              text
            ) : (
              <Link
                to={`${href('/laptops')}?${search}`}
                title="Find others like this"
                className="inline-block min-h-6 underline decoration-border-strong underline-offset-4 hover:decoration-current"
              >
                {text}
              </Link>
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
