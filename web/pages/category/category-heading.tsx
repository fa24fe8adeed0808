import { href, Link, NavLink } from 'react-router';
import { formatLaptopCount } from '../../formats/counts.ts';
import { sortNames } from '../../laptops/sort-names.ts';

interface CategoryHeadingProps {
  brandId: string;
  /** The brands of the shop. */
  brands: readonly string[];
  /** The number of laptops of this brand for sale; null if unknown. */
  total: number | null;
}

const chip =
  'inline-flex min-h-9 items-center whitespace-nowrap rounded-full border border-border-strong bg-surface px-3.5 text-sm hover:bg-subtle';
const orders = ['price', '-price', 'saving'] as const;

/** The heading of a category: its brand beside the others; the count, and links to the search in other orders and with filters. */
export function CategoryHeading({ brandId, brands, total }: CategoryHeadingProps) {
  const searchUrl = (parameters: Record<string, string>) =>
    `${href('/laptops')}?${new URLSearchParams({ brand: brandId, ...parameters })}`;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <h1 className="text-4xl sm:text-5xl">{brandId} laptops</h1>
        {brands.length > 1 && (
          <nav aria-label="Brands" className="max-sm:order-first max-sm:w-full">
            <ul className="flex gap-1 overflow-x-auto border-border border-b p-1 pb-0 [scrollbar-width:none]">
              {brands.map((brand) => (
                <li key={brand}>
                  <NavLink
                    to={href('/category/:id', { id: brand })}
                    prefetch="intent"
                    className="inline-flex min-h-11 items-center whitespace-nowrap border-transparent border-b-3 px-4 font-semibold text-muted hover:text-foreground aria-[current]:border-accent aria-[current]:text-foreground"
                  >
                    {brand}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      <div className="mt-4 mb-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <p className="figures text-muted">
          {total === null ? 'Newest first' : `${formatLaptopCount(total)}, newest first`}
        </p>
        {total !== null && total > 1 && (
          <nav aria-label="Sort and filter in the search" className="min-w-0">
            <ul className="-m-1 flex gap-2 overflow-x-auto p-1 [scrollbar-width:none]">
              <li>
                <Link to={`${searchUrl({})}#filters`} className={`${chip} font-semibold text-link`}>
                  All filters
                </Link>
              </li>
              {orders.map((order) => (
                <li key={order}>
                  <Link to={searchUrl({ sort: order })} prefetch="intent" className={chip}>
                    {sortNames[order]}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </>
  );
}
