import type { ReactNode } from 'react';
import { formatLaptopCount } from '../../formats/counts.ts';
import { sortNames } from '../../laptops/sort-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { FILTER_FORM } from './filter-form.tsx';
import { searchUrl, withValues } from './search-url.ts';
import type { SearchState } from './use-search-state.ts';

function SortSelect({ search: { parameters, show } }: { search: SearchState }) {
  const hasWords = parameters.has('q');
  const byDefault = hasWords ? 'relevance' : 'newest';
  return (
    <>
      <label className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="text-muted text-sm max-sm:sr-only">Sort by</span>
        <span className="relative block min-w-0">
          <select
            name="sort"
            form={FILTER_FORM}
            value={parameters.get('sort') ?? byDefault}
            onChange={({ target }) =>
              show(withValues(parameters, { sort: target.value === byDefault ? '' : target.value }))
            }
            className="min-h-11 max-w-full appearance-none rounded-lg border border-border-strong bg-surface py-2 pr-9 pl-3.5 text-base text-foreground"
          >
            {Object.entries(sortNames).map(
              ([order, name]) =>
                (order !== 'relevance' || hasWords) && (
                  <option key={order} value={order}>
                    {name}
                  </option>
                ),
            )}
          </select>
          <Icon
            name="chevronDown"
            className="pointer-events-none absolute top-1/2 right-2.5 size-5 -translate-y-1/2 text-muted"
          />
        </span>
      </label>
      <button
        type="submit"
        form={FILTER_FORM}
        className="hidden min-h-11 rounded-lg px-2 font-semibold text-link noscript:block"
      >
        Sort
      </button>
    </>
  );
}

interface ResultsHeaderProps {
  /** The number of matching laptops. */
  total: number;
  /** What was searched, such as `Dell laptops, 16 GB`. */
  title: string;
  search: SearchState;
  /** The laptops of a later page, such as `25–48 of 59`; null on the first page. */
  range: string | null;
  children: ReactNode;
}

/** The number of results or the range of a later page, announced when it changes, the button of the filters, and the order. */
export function ResultsHeader({ total, title, search, range, children }: ResultsHeaderProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p className="figures text-muted max-lg:w-full">
        <span role="status">
          {range === null ? formatLaptopCount(total) : `${range} laptops`}
          {/* Announced after each filter, also when the number stays the same. */}
          <span className="sr-only">: {title}</span>
        </span>
        {range !== null && (
          <>
            {'. '}
            <TextLink to={searchUrl(search.parameters)}>Back to the first</TextLink>
          </>
        )}
      </p>
      {children}
      {total > 1 && <SortSelect search={search} />}
    </div>
  );
}
