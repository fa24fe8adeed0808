import { data, href, Link, NavLink, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import * as z from 'zod/mini';
import { listBrands, readBrand } from '#contract/listings/catalogue.ts';
import { BrandId } from '#contract/listings/laptop-schemas.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';
import { formatLaptopCount } from '../../formats/counts.ts';
import { Definitions } from '../../laptops/chips.tsx';
import { definitionsHtml } from '../../laptops/definitions.server.tsx';
import { sortNames } from '../../laptops/sort-names.ts';
import { NotFound } from '../../layout/not-found.tsx';
import { privateMeta } from '../../metadata/page-meta.ts';
import { isMissing } from '../../requests/missing.ts';
import { StaleDataFrame } from '../../requests/query-view.tsx';
import { visibleQuery } from '../../requests/visible-query.ts';
import { orNull, serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { CategoryList } from './category-list.tsx';

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
function CategoryHeading({ brandId, brands, total }: CategoryHeadingProps) {
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
                  <Link to={searchUrl({ sort: order })} className={chip}>
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

/** Finds a brand that is in no list: a hidden one, or one by a former name. */
async function findBrand(client: Client, id: string) {
  try {
    return await client.call(readBrand, { params: { id } });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Responds with 404 for an unknown brand, and with a redirect for a former name of one. When the brands cannot be loaded, the list
 * decides. Without the search's counts the page offers no links to it.
 */
export async function loader({ context, params: { id: brandId }, url }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client } = site;
  // Anybody can open any address: one that is no brand's name is no error of the search.
  const isName = z.safeParse(BrandId, brandId).success;
  const [listed, counts] = await Promise.all([
    orNull(site, client.call(listBrands, {})),
    isName ? orNull(site, client.call(searchLaptops, { query: { brand: brandId, limit: 1 } })) : null,
  ]);
  const brands = listed?.map((brand) => brand.category_Id) ?? [brandId];
  const brand = brands.includes(brandId) ? { category_Id: brandId } : await findBrand(client, brandId);
  if (brand !== null && brand.category_Id !== brandId) {
    // With the laptop to book.
    throw redirect(`${href('/category/:id', { id: brand.category_Id })}${visibleQuery(url)}`, 301);
  }
  const unknown = brand === null;
  const heading = { brandId, brands, total: counts?.total ?? null };
  return data({ unknown, heading, definitions: definitionsHtml }, { status: unknown ? 404 : 200 });
}

/** The booking dialog changes only the query string, which needs no new data. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname;

export const meta: Route.MetaFunction = ({ params, matches, loaderData }) =>
  privateMeta(loaderData?.unknown ? 'Page not found' : `${params.id} laptops`)({ matches });

export default function CategoryPage({
  loaderData: { unknown, heading, definitions },
}: Route.ComponentProps) {
  const { brandId } = heading;
  if (unknown) return <NotFound />;
  return (
    // At least as high as the viewport, so that loading does not shift the footer.
    <div className="page-width min-h-svh py-8 sm:py-12">
      <CategoryHeading {...heading} />
      <StaleDataFrame>
        <CategoryList key={brandId} brandId={brandId} />
      </StaleDataFrame>
      <Definitions html={definitions} />
    </div>
  );
}
