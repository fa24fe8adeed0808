import { data, href, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { listBrands, readBrand } from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';
import { Definitions } from '../../laptops/definition-chip.tsx';
import { definitionsHtml } from '../../laptops/definitions.server.tsx';
import { NotFound } from '../../layout/not-found.tsx';
import { privateMeta } from '../../metadata/page-meta.ts';
import { isMissing } from '../../requests/missing.ts';
import { StaleDataFrame } from '../../requests/query-view.tsx';
import { visibleQuery } from '../../requests/visible-query.ts';
import { serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { CategoryHeading } from './category-heading.tsx';
import { CategoryList } from './category-list.tsx';

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
 * decides. Without the search's counts
 * the page offers no links to it.
 */
export async function loader({ context, params: { id: brandId }, url }: Route.LoaderArgs) {
  const { client, report } = context.get(serverContext);
  const orNull = (error: unknown) => {
    report(error);
    return null;
  };
  const [listed, counts] = await Promise.all([
    client.call(listBrands, {}).catch(orNull),
    client.call(searchLaptops, { query: { brand: brandId, limit: 1 } }).catch(orNull),
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

export const meta: Route.MetaFunction = ({ params, matches }) =>
  privateMeta(`${params.id} laptops`)({ matches });

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
