import { data, type ShouldRevalidateFunctionArgs } from 'react-router';
import { listBrands } from '#contract/catalogue.ts';
import { NotFound } from '../../layout/not-found.tsx';
import { privateMeta } from '../../metadata/page-meta.ts';
import { serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { CategoryList } from './category-list.tsx';

/** Responds with 404 for an unknown brand. When the brands cannot be loaded, the list decides. */
export async function loader({ context, params: { id: brandId } }: Route.LoaderArgs) {
  const { client, report } = context.get(serverContext);
  const brands = await client.call(listBrands, {}).catch((error: unknown) => {
    report(error);
    return null;
  });
  const unknown = brands !== null && !brands.some((brand) => brand.category_Id === brandId);
  return data({ brandId, unknown }, { status: unknown ? 404 : 200 });
}

/** The booking dialog changes only the query string, which needs no new data. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname;

export const meta: Route.MetaFunction = ({ params }) => privateMeta(`${params.id} laptops`);

export default function CategoryPage({ loaderData: { brandId, unknown } }: Route.ComponentProps) {
  return unknown ? <NotFound /> : <CategoryList key={brandId} brandId={brandId} />;
}
