import { lazy } from 'react';
import type { SearchResult } from '#contract/listings/search.ts';
import { CompareToggle } from '../../laptops/compare-toggle.tsx';
import type { ChosenFilter } from '../../laptops/filter-labels.ts';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { ClosestTile } from './nothing-found.tsx';
import { searchUrl, withoutFilter } from './search-url.ts';
import type { SearchState } from './use-search-state.ts';

const NothingFound = lazy(() => import('./nothing-found.tsx'));

const gridClasses = 'grid gap-3 sm:grid-cols-2 sm:gap-5 xl:grid-cols-3';

/** The words that were searched instead of the typed ones. */
function Correction({ words, typed }: { words: string; typed: string }) {
  return (
    <Notice className="mb-4">
      No laptop matches “{typed}”. Showing results for <strong>{words}</strong>.
    </Notice>
  );
}

interface ResultsProps {
  result: Pick<SearchResult, 'total' | 'next' | 'corrected' | 'loosen'> & {
    laptops: readonly TileLaptop[];
    closest: readonly ClosestTile[];
  };
  search: SearchState;
  chosen: readonly ChosenFilter[];
}

/** The found laptops, page by page. They are dimmed while others are being loaded. */
export function Results({ result, search, chosen }: ResultsProps) {
  const { laptops, next, corrected, total } = result;
  const url = searchUrl(search.parameters);
  const typed = search.parameters.get('q');
  return (
    <section
      aria-labelledby="results"
      aria-busy={search.isPending || undefined}
      className={`transition-opacity duration-150 ${search.isPending ? 'opacity-50' : ''}`}
    >
      <h2 id="results" className="sr-only">
        Results
      </h2>
      {corrected !== undefined && typed !== null && <Correction words={corrected} typed={typed} />}
      {total === 0 ? (
        <NothingFound
          result={result}
          urlWithout={(filters) => searchUrl(filters.reduce(withoutFilter, search.parameters))}
          chosen={chosen}
          gridClasses={gridClasses}
        />
      ) : (
        <ul className={gridClasses}>
          {laptops.map((laptop, index) => (
            <li key={laptop._id} className="flex">
              <LaptopTile laptop={laptop} eager={index === 0}>
                <CompareToggle laptop={laptop} />
              </LaptopTile>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <p className="mt-8 flex justify-center">
          <LinkButton
            variant="secondary"
            rel="next"
            to={`${url}${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next)}`}
          >
            More laptops
          </LinkButton>
        </p>
      )}
    </section>
  );
}
