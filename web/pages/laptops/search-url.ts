import { type FacetName, facetNames } from '#contract/facets.ts';
import type { FilterName } from '#contract/listings/search.ts';

/** The parameters of a search in the order of canonical URLs, without the cursor. */
export const parameterNames = ['q', ...facetNames, 'min_price', 'max_price', 'sort'] as const;

/** The URL of the results of some parameters, in the order of {@link parameterNames}. */
export function searchUrl(parameters: URLSearchParams): string {
  const ordered = new URLSearchParams(
    parameterNames.flatMap((name) =>
      parameters
        .getAll(name)
        .filter((value) => value !== '')
        .map((value) => [name, value]),
    ),
  );
  return ordered.size === 0 ? '/laptops' : `/laptops?${ordered}`;
}

/** The parameters with one more or one less chosen value. */
export function withToggled(parameters: URLSearchParams, name: FacetName, value: string): URLSearchParams {
  const chosen = parameters.getAll(name);
  const next = withoutFilter(parameters, name);
  const values = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
  for (const one of values) next.append(name, one);
  return next;
}

/** The parameters with some values; an empty one removes its parameter. */
export function withValues(
  parameters: URLSearchParams,
  values: Partial<Record<(typeof parameterNames)[number], string>>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(values)) next.set(name, value);
  return next;
}

/** The parameters without a filter. */
export function withoutFilter(parameters: URLSearchParams, filter: FilterName): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const name of filter === 'price' ? ['min_price', 'max_price'] : [filter]) next.delete(name);
  return next;
}
