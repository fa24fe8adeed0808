import { href, Link } from 'react-router';
import type { DisplayedFact } from '../../laptops/displayed-facts.ts';

/** Facts with their texts, line by line. @param props.columns 2 for short texts */
export function FactTable({ facts, columns }: { facts: readonly DisplayedFact[]; columns: 1 | 2 }) {
  return (
    <dl
      className={`border-line border-t [&>div]:border-line [&>div]:border-b ${columns === 2 ? 'gap-x-8 sm:grid sm:grid-cols-2' : ''}`}
    >
      {facts.map(({ name, text, search }) => (
        <div key={name} className="grid grid-cols-[minmax(7rem,1fr)_2.5fr] gap-4 py-2">
          <dt className="text-quiet">{name}</dt>
          <dd className="figures min-w-0 [overflow-wrap:anywhere]">
            {search === undefined ? (
              text
            ) : (
              <Link
                to={`${href('/laptops')}?${search}`}
                title="Find others like this"
                className="inline-block min-h-6 underline decoration-edge underline-offset-4 hover:decoration-current"
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
