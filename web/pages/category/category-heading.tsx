import type { ReactNode } from 'react';
import { href, Link, NavLink } from 'react-router';
import type { SearchResult } from '#contract/listings/search.ts';
import { formatGigabytes } from '#contract/listings/sizes.ts';
import { formatCount, formatLaptopCount } from '../../formats/counts.ts';
import { sortNames } from '../../laptops/sort-names.ts';

/** A link that narrows the search for laptops of a brand. */
interface Narrowing {
  parameter: 'condition' | 'memory';
  value: string;
  label: string;
  /** The number of laptops. */
  count: number;
}

/** The facets that a category offers as links; the search page has all of them. */
export function narrowings(facets: SearchResult['facets'] | undefined): Narrowing[] {
  if (facets === undefined) return [];
  const { condition, memory } = facets;
  return [
    ...condition.map((one) => ({ ...one, parameter: 'condition' as const, label: one.value })),
    ...memory
      .map((one) => ({ ...one, parameter: 'memory' as const, label: formatGigabytes(Number(one.value)) }))
      .sort((one, other) => Number(one.value) - Number(other.value)),
  ];
}

interface CategoryHeadingProps {
  brandId: string;
  /** The brands of the shop. */
  brands: readonly string[];
  /** The number of laptops of this brand for sale; null if unknown. */
  total: number | null;
  narrowings: readonly Narrowing[];
}

const chip =
  'figures inline-flex min-h-9 items-center gap-1.5 whitespace-nowrap rounded-full border border-edge bg-surface px-3.5 text-sm hover:bg-sunken';

function Links({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title} className="flex min-w-0 items-center gap-3">
      <span className="shrink-0 text-quiet text-sm" aria-hidden="true">
        {title}
      </span>
      {/* Positioned, so that it clips the text for screen readers. */}
      <ul className="relative -my-1 flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none]">
        {children}
      </ul>
    </nav>
  );
}

function Count({ total }: { total: number | null }) {
  if (total === null) return 'Newest first';
  return `${formatLaptopCount(total)}, newest first`;
}

/** The heading of a category: its brand beside the others, the count, and links to the search in other orders. */
export function CategoryHeading({ brandId, brands, total, narrowings: offered }: CategoryHeadingProps) {
  const searchUrl = (parameters: Record<string, string>) =>
    `${href('/laptops')}?${new URLSearchParams({ brand: brandId, ...parameters })}`;
  const orders = ['price', '-price', 'saving'] as const;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h1 className="text-4xl sm:text-5xl">{brandId} laptops</h1>
          <p className="figures mt-2 text-lg text-quiet">
            <Count total={total} />
          </p>
        </div>
        {brands.length > 1 && (
          <nav aria-label="Brands" className="max-sm:order-first max-sm:w-full">
            <ul className="flex gap-1 overflow-x-auto border-line border-b p-1 pb-0 [scrollbar-width:none]">
              {brands.map((brand) => (
                <li key={brand}>
                  <NavLink
                    to={href('/category/:id', { id: brand })}
                    prefetch="intent"
                    className="inline-flex min-h-11 items-center whitespace-nowrap border-transparent border-b-3 px-4 font-semibold text-quiet hover:text-ink aria-[current]:border-aubergine aria-[current]:text-ink"
                  >
                    {brand}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      {total !== null && total > 1 && (
        <div className="mt-4 flex flex-wrap gap-x-8 gap-y-2">
          <Links title="Sort in the search">
            {orders.map((order) => (
              <li key={order}>
                <Link to={searchUrl({ sort: order })} prefetch="intent" className={chip}>
                  {sortNames[order]}
                </Link>
              </li>
            ))}
          </Links>
          <Links title="Filter in the search">
            {offered.map(({ parameter, value, label, count }) => (
              <li key={`${parameter} ${value}`}>
                <Link to={searchUrl({ [parameter]: value })} prefetch="intent" className={chip}>
                  {label}
                  <span className="text-quiet">
                    {formatCount(count)}
                    <span className="sr-only"> laptops</span>
                  </span>
                </Link>
              </li>
            ))}
            <li>
              <Link to={`${searchUrl({})}#filters`} className={`${chip} font-semibold text-aubergine`}>
                All filters
              </Link>
            </li>
          </Links>
        </div>
      )}
    </>
  );
}
