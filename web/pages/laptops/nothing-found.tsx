import { href, Link } from 'react-router';
import type { FilterName, SearchResult } from '#contract/listings/search.ts';
import { formatLaptopCount } from '../../formats/counts.ts';
import { CompareToggle } from '../../laptops/compare-toggle.tsx';
import type { ChosenFilter } from '../../laptops/filter-labels.ts';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';
import { SecondaryLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** As in “Fair, 64 GB, and up to $100”. */
const conjunction = new Intl.ListFormat('en-US', { type: 'conjunction' });

interface NothingFoundProps {
  result: Pick<SearchResult, 'loosen'> & { closest: readonly ClosestTile[] };
  /** The URL of the results without some filters. */
  urlWithout: (filters: readonly FilterName[]) => string;
  chosen: readonly ChosenFilter[];
  /** The classes of a list of tiles. */
  gridClasses: string;
}

/** Filters without which there are laptops. */
interface Choice {
  filters: FilterName[];
  total: number;
}

/** What to do when no filters can be named that have laptops. */
const startAgain = (hasWords: boolean) =>
  hasWords
    ? 'Check the spelling, or start again with fewer words and filters.'
    : 'Start again with fewer filters.';

function titleOf(chosen: readonly ChosenFilter[]): string {
  const [only, ...others] = chosen;
  if (only === undefined) return 'No laptop is for sale right now';
  return others.length === 0 ? `No laptop matches ${only.label}` : 'No laptop matches all of this';
}

/** An empty result: the filters without which there are laptops, as links, and the closest laptops. */
export default function NothingFound({ result, gridClasses, ...search }: NothingFoundProps) {
  return (
    <>
      <Loosening result={result} {...search} />
      <Closest laptops={result.closest} gridClasses={gridClasses} />
    </>
  );
}

function Loosening({ result: { loosen }, urlWithout, chosen }: Omit<NothingFoundProps, 'gridClasses'>) {
  const labelsOf = (filter: FilterName) =>
    chosen
      .filter((one) => one.filter === filter)
      .map(({ label }) => label)
      .join(' or ');
  const names = [...new Set(chosen.flatMap(({ filter }) => (filter === 'sort' ? [] : filter)))];
  const choices = loosen
    .map(({ filters, total }): Choice => ({ filters: names.filter((name) => filters.includes(name)), total }))
    .filter(({ filters }) => filters.length > 0);
  const isOneEnough = loosen.some(({ filters }) => filters.length === 1);

  function removalOf(filters: readonly FilterName[]): string {
    if (filters.length === 1 && filters[0] === 'price') return 'At any price';
    return `Without ${conjunction.format(filters.map(labelsOf))}`;
  }
  return (
    <EmptyState
      title={titleOf(chosen)}
      {...(chosen.length > 0 && {
        action: <SecondaryLink to={href('/laptops')}>See all laptops</SecondaryLink>,
      })}
    >
      {chosen.length === 0 ? (
        'New laptops appear here as soon as sellers list them.'
      ) : choices.length === 0 || names.length === 1 ? (
        startAgain(names.includes('q'))
      ) : (
        <>
          <p>
            {isOneEnough ? 'There are some without one of these:' : 'There are some without these together:'}
          </p>
          <ul className="mt-2 flex flex-col items-start">
            {choices.map(({ filters, total }) => (
              <li key={filters.join()}>
                <Link to={urlWithout(filters)} className="link figures inline-flex min-h-9 items-center">
                  {removalOf(filters)}: {formatLaptopCount(total)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
  );
}

/** A laptop that does not match, with the labels of what it lacks. */
export interface ClosestTile {
  laptop: TileLaptop;
  lacks: readonly string[];
}

/** The laptops that lack the least of an unmatched search; nothing when there are none. */
function Closest({ laptops, gridClasses }: { laptops: readonly ClosestTile[]; gridClasses: string }) {
  if (laptops.length === 0) return null;
  return (
    <section aria-labelledby="closest" className="mt-8">
      <h3 id="closest" className="mb-4 text-xl">
        The closest laptops
      </h3>
      <ul className={gridClasses}>
        {laptops.map(({ laptop, lacks }) => (
          <li key={laptop._id} className="flex flex-col gap-1.5">
            <LaptopTile laptop={laptop}>
              <CompareToggle laptop={laptop} />
            </LaptopTile>
            <p className="px-1 text-muted text-sm [overflow-wrap:anywhere]">
              Does not match: <strong className="font-semibold text-foreground">{lacks.join(', ')}</strong>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
