import { href, Link } from 'react-router';
import type { SearchResult } from '#contract/search.ts';
import { formatLaptopCount } from '../../formats/counts.ts';
import type { ChosenFilter, FilterName } from '../../laptops/filter-labels.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

interface NothingFoundProps {
  loosen: SearchResult['loosen'];
  /** The URL of the results without a filter. */
  urlWithout: (filter: FilterName) => string;
  chosen: readonly ChosenFilter[];
}

/** An empty result: the filters without which there are laptops, as links. */
export function NothingFound({ loosen, urlWithout, chosen }: NothingFoundProps) {
  function removalOf(filter: FilterName): string {
    if (filter === 'price') return 'At any price';
    const labels = chosen.filter((one) => one.filter === filter).map(({ label }) => label);
    return `Without ${labels.join(' or ')}`;
  }
  const filters = [...new Set(chosen.map(({ filter }) => filter))];
  const choices = filters.flatMap((filter) => {
    const total = loosen.find((one) => one.filter === filter)?.total ?? 0;
    return total === 0 ? [] : [{ filter, total }];
  });
  return (
    <EmptyState
      title={chosen.length === 0 ? 'No laptop is for sale right now' : 'No laptop matches all of this'}
      {...(chosen.length > 0 && {
        action: (
          <LinkButton variant="secondary" to={href('/laptops')}>
            See all laptops
          </LinkButton>
        ),
      })}
    >
      {chosen.length === 0 ? (
        'New laptops appear here as soon as sellers list them.'
      ) : choices.length === 0 ? (
        'Check the spelling, or start again with fewer words and filters.'
      ) : (
        <>
          <p>There are some without one of these:</p>
          <ul className="mt-2 flex flex-col items-start">
            {choices.map(({ filter, total }) => (
              <li key={filter}>
                <Link
                  to={urlWithout(filter)}
                  className="figures inline-flex min-h-9 items-center text-aubergine underline underline-offset-4"
                >
                  {removalOf(filter)}: {formatLaptopCount(total)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
  );
}
