import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { ChosenFilter } from '../../laptops/filter-labels.ts';
import { Icon } from '../../ui/icon.tsx';
import { moveFocusTo } from '../../ui/route-announcer.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { isFacet, searchUrl, withoutFilter, withToggled } from './search-url.ts';
import type { SearchState } from './use-search-state.ts';

interface ChosenFiltersProps {
  chosen: readonly ChosenFilter[];
  search: SearchState;
  /** Words that were read as filters, with the URL of the search for the words themselves. */
  literal: readonly { text: string; url: string }[];
  /** What else can be done with the filters. */
  children: ReactNode;
}

/** The URL of the results without a chosen filter. */
function urlWithout({ filter, value }: ChosenFilter, { parameters }: SearchState): string {
  return searchUrl(
    value === null || !isFacet(filter)
      ? withoutFilter(parameters, filter)
      : withToggled(parameters, filter, value),
  );
}

/** A removed chip cannot keep the focus. */
const focusHeading = () => moveFocusTo('');

/** The chosen filters as links that remove them; nothing when there are none. */
export function ChosenFilters({ chosen, search, literal, children }: ChosenFiltersProps) {
  if (chosen.length === 0) return null;
  return (
    <div className="mb-5 flex flex-col gap-2">
      <ul aria-label="Chosen filters" className="flex flex-wrap items-center gap-2">
        {chosen.map((one) => (
          <li key={`${one.filter} ${one.value}`}>
            <Link
              to={urlWithout(one, search)}
              preventScrollReset
              onClick={focusHeading}
              className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-border-strong bg-surface py-1 pr-2.5 pl-3.5 text-sm hover:bg-subtle"
            >
              <span className="sr-only">Remove </span>
              <span className="[overflow-wrap:anywhere]">
                {one.label}
                {one.words !== undefined && <span className="text-muted"> “{one.words}”</span>}
              </span>
              <Icon name="close" className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
        <li>
          <Link
            to={href('/laptops')}
            preventScrollReset
            onClick={focusHeading}
            className="inline-flex min-h-9 items-center rounded-lg px-2 font-semibold text-link text-sm hover:bg-accent-soft"
          >
            Clear all
          </Link>
        </li>
        <li>{children}</li>
      </ul>
      {literal.map(({ text, url }) => (
        <p key={text} className="text-muted text-sm">
          We read “{text}” as what such a laptop needs.{' '}
          <TextLink to={url} preventScrollReset onClick={focusHeading}>
            Search for the word instead
          </TextLink>
        </p>
      ))}
    </div>
  );
}
