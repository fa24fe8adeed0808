import { useState } from 'react';
import {
  data,
  href,
  Link,
  type MetaDescriptor,
  type ShouldRevalidateFunctionArgs,
  useSearchParams,
} from 'react-router';
import {
  listLaptopsOfSeller,
  listReviewsOfSeller,
  type PublicSeller,
  readSeller,
} from '#contract/sales/seller-pages.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { SellerBadge } from '../../formats/seller-badge.tsx';
import { Definitions } from '../../laptops/chips.tsx';
import { definitionsHtml } from '../../laptops/definitions.server.tsx';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import { toTileLaptop } from '../../laptops/tile-laptop.ts';
import { withParameter } from '../../laptops/use-dialog-parameter.ts';
import { NotFound } from '../../layout/not-found.tsx';
import { RequireSignInForParameters } from '../../layout/require-sign-in-for-parameters.tsx';
import { privateMeta, publicMeta, type Site } from '../../metadata/page-meta.ts';
import { missingOrThrow } from '../../requests/missing.ts';
import { serverContext } from '../../server-context.ts';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Route } from './+types/page.ts';
import { REPORT_PARAMETER } from './report-parameter.ts';
import { Reviews } from './reviews.tsx';
import { sellerFacts, toShownReview } from './shown-seller.ts';

/** The tags of a seller's page. The loader makes them, so that browsers need no code for them. */
const sellerMeta = (seller: PublicSeller, site: Site): MetaDescriptor[] =>
  publicMeta({
    title: seller.name,
    description: `${seller.name} sells pre-owned laptops. ${sellerFacts({ ...seller, checks: null }, site.shop.name).join('. ')}.`,
    path: href('/seller/:id', { id: seller._id }),
    site,
  });

export const handle = deferHydration;

const LAPTOPS_PER_PAGE = 12;
const REVIEWS_PER_PAGE = 10;

/**
 * Responds with 404 for an unknown seller, and with 410 for one who has left.
 * @throws Response 503 when the seller cannot be read
 */
export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client, report, shop } = site;
  const page = (name: string, limit: number) => {
    const cursor = url.searchParams.get(name);
    return { params: { sellerId: id }, query: { limit, ...(cursor !== null && { cursor }) } };
  };
  try {
    const seller = await client.call(readSeller, { params: { sellerId: id } });
    const [laptops, reviews] = await Promise.all([
      client.page(listLaptopsOfSeller, page('laptops', LAPTOPS_PER_PAGE)),
      client.page(listReviewsOfSeller, page('reviews', REVIEWS_PER_PAGE)),
    ]);
    const path = href('/seller/:id', { id });
    const nextPage = (name: string, next: string | null) =>
      next === null ? null : `${path}?${new URLSearchParams({ [name]: next })}#${name}`;
    return {
      name: seller.name,
      verified: seller.verified,
      facts: sellerFacts(seller, shop.name),
      definitions: definitionsHtml,
      laptops: laptops.items.map(toTileLaptop),
      nextLaptops: nextPage('laptops', laptops.next),
      reviews: reviews.items.map(toShownReview),
      nextReviews: nextPage('reviews', reviews.next),
      meta: sellerMeta(seller, site),
    };
  } catch (error) {
    const missing = missingOrThrow(error, report);
    return data({ missing }, missing === 'gone' ? 410 : 404);
  }
}

/** The address of a page without the parameter that opens a dialog. */
const withoutDialog = ({ pathname, searchParams }: URL) =>
  `${pathname}?${withParameter(searchParams, REPORT_PARAMETER, null)}`;

/** The dialog changes only its parameter, which needs no new data. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && withoutDialog(currentUrl) !== withoutDialog(nextUrl);

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData === undefined || 'missing' in loaderData
    ? privateMeta('Seller not found')({ matches })
    : loaderData.meta;

// Only signed-in people who report a review need it.
const ReportDialogFromUrl = lazyPart(async () => {
  try {
    return (await import('./report-dialog-from-url.tsx')).ReportDialogFromUrl;
  } catch (error) {
    toast.error('The form could not be loaded. Please reload the page and try again.');
    throw error;
  }
});

/** The dialog that reports a review. It stays after it was opened, so that it closes with its animation. */
function LazyReportDialog() {
  const { status } = useSession();
  const [search] = useSearchParams();
  const isOpen = search.has(REPORT_PARAMETER);
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  return status === 'signed-in' && wasOpened ? <ReportDialogFromUrl /> : null;
}

function Gone() {
  return (
    <div className="page-width flex flex-col items-start gap-6 py-20 sm:py-32">
      <h1 className="max-w-2xl text-4xl sm:text-5xl">This seller has left the shop</h1>
      <p className="max-w-prose text-lg text-muted">The laptops of other sellers are still for sale.</p>
      <LinkButton to={href('/laptops')}>See laptops</LinkButton>
    </div>
  );
}

type Content = Exclude<Route.ComponentProps['loaderData'], { missing: string }>;

function Laptops({ laptops, nextLaptops }: Pick<Content, 'laptops' | 'nextLaptops'>) {
  return (
    <section id="laptops" aria-labelledby="laptops-title" className="mt-10">
      <h2 id="laptops-title" className="mb-4 text-2xl sm:text-3xl">
        Laptops for sale
      </h2>
      {laptops.length === 0 ? (
        <p className="text-muted">None right now.</p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
          {laptops.map((laptop, index) => (
            <li key={laptop._id} className="flex">
              <LaptopTile laptop={laptop} eager={index === 0} />
            </li>
          ))}
        </ul>
      )}
      {nextLaptops !== null && (
        <Link to={nextLaptops} className="link mt-4 inline-block py-2 font-semibold">
          More laptops
        </Link>
      )}
    </section>
  );
}

export default function SellerPage({ loaderData }: Route.ComponentProps) {
  if ('missing' in loaderData) return loaderData.missing === 'gone' ? <Gone /> : <NotFound />;
  const { name, verified, facts, reviews, nextReviews } = loaderData;
  return (
    <div className="page-width py-8 sm:py-12">
      <RequireSignInForParameters parameters={[REPORT_PARAMETER]} />
      <LazyReportDialog />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-4xl sm:text-5xl">
          <bdi>{name}</bdi>
        </h1>
        <SellerBadge verified={verified} />
      </div>
      <ul className="figures mt-3 flex flex-wrap gap-x-6 gap-y-1 text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <Laptops {...loaderData} />
      <Reviews reviews={reviews} next={nextReviews} />
      <Definitions html={loaderData.definitions} />
    </div>
  );
}
