import { href, Link } from 'react-router';
import type { DisplayedFact } from '../../laptops/displayed-facts.ts';

/** Facts with their texts, line by line. */
export function FactTable({ facts }: { facts: readonly DisplayedFact[] }) {
  return (
    <dl className="@container border-border border-t [&>div]:border-border [&>div]:border-b">
      {facts.map(({ name, text, search }) => (
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
          </dd>
        </div>
      ))}
    </dl>
  );
}
