import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { listBrands } from '#contract/catalogue.ts';
import { NotFound } from '../../layout/not-found.tsx';
import { serverContext } from '../../server-context.ts';
import { CategoryList } from './category-list.tsx';

/** Answers 404 for a brand that the shop does not deal in; when that cannot be told the list itself will say. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const { client, report } = context.get(serverContext);
  const brandId = params.id ?? '';
  const brands = await client.call(listBrands, {}).catch((error: unknown) => {
    report(error);
    return null;
  });
  const unknown = brands !== null && !brands.some((brand) => brand.category_Id === brandId);
  return data({ brandId, unknown }, { status: unknown ? 404 : 200 });
}

/** Opening and closing the booking dialog changes the query alone, and asks the server nothing. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname;

export const meta: MetaFunction = ({ params }) => [
  { title: `${params.id ?? ''} laptops · Coomercio` },
  { name: 'robots', content: 'noindex' },
];

export default function CategoryPage() {
  const { brandId, unknown } = useLoaderData<typeof loader>();
  return unknown ? <NotFound /> : <CategoryList key={brandId} brandId={brandId} />;
}
