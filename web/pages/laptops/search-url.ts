import type { FacetName } from '#contract/listings/facets.ts';
import type { FilterName } from '#contract/listings/search.ts';
import { SAVE_PARAMETER } from './save-search-props.ts';

/** The last parameters of canonical URLs. The words come first, and facets are in alphabetical order. */
const lastNames = ['min_price', 'max_price', 'sort'];

/** The names of a search's parameters in the order of canonical URLs, without the cursor. Browsers do not load the table of facets. */
export function parameterNames(parameters: URLSearchParams): string[] {
  const rank = (name: string) => (name === 'q' ? -2 : lastNames.indexOf(name));
  return [...new Set(parameters.keys())]
    .filter((name) => name !== 'cursor' && name !== SAVE_PARAMETER)
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

/** Whether a filter has values that are chosen one by one. */
export const isFacet = (filter: FilterName | 'sort'): filter is FacetName =>
  filter !== 'q' && filter !== 'price' && filter !== 'sort';

/** The URL of the results of some parameters, in the order of {@link parameterNames}. */
export function searchUrl(parameters: URLSearchParams): string {
  const ordered = new URLSearchParams(
    parameterNames(parameters).flatMap((name) =>
      parameters
        .getAll(name)
        .filter((value) => value !== '')
        .map((value) => [name, value]),
    ),
  );
  return ordered.size === 0 ? '/laptops' : `/laptops?${ordered}`;
}

/** The parameters with one more or one less chosen value. */
export function withToggled(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(parameters);
  if (next.has(name, value)) next.delete(name, value);
  else next.append(name, value);
  return next;
}

/** The parameters with some values; an empty one removes its parameter. */
export function withValues(
  parameters: URLSearchParams,
  values: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(values)) next.set(name, value);
  return next;
}

/** The parameters without a filter. */
export function withoutFilter(parameters: URLSearchParams, filter: FilterName | 'sort'): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const name of filter === 'price' ? ['min_price', 'max_price'] : [filter]) next.delete(name);
  return next;
}
