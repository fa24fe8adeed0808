import { lazy, Suspense } from 'react';
import { data, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { readMeasurement } from '#contract/certification/inspections.ts';
import { type LaptopDetails, readLaptop } from '#contract/listings/catalogue.ts';
import { listSimilar } from '#contract/listings/search.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import { type Client, Problem } from '#contract/platform/client.ts';
import { readSeller } from '#contract/sales/seller-pages.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { type TileLaptop, toTileLaptop } from '../../laptops/tile-laptop.ts';
import { errorMessage } from '../../requests/error-message.ts';
import { missingOrThrow } from '../../requests/missing.ts';
import { visibleQuery } from '../../requests/visible-query.ts';
import { orNull, serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { laptopMeta, missingMeta } from './laptop-meta.ts';
import { LaptopView } from './laptop-view.tsx';
import { measurementHtml } from './measurement-html.server.tsx';
import { type ShownMeasurement, toShownLaptop } from './shown-laptop.ts';

/** Milliseconds after which the page is sent without similar laptops. */
const TIMEOUT = 1_500;

/** Reads laptops for sale that are similar. */
async function readSimilar(client: Client, { _id }: { _id: string }): Promise<TileLaptop[]> {
  const signal = AbortSignal.timeout(TIMEOUT);
  return (await client.call(listSimilar, { params: { _id }, signal })).map(toTileLaptop);
}

export const handle = deferHydration;

// Most visits need neither.
const Gone = lazy(() => import('./laptop-not-for-sale.tsx'));
const NotFound = lazy(() =>
  import('../../layout/not-found.tsx').then((loaded) => ({ default: loaded.NotFound })),
);

/** What a laptop's measurement says; null when it was not measured. */
async function readMeasured(
  client: Client,
  { _id: laptopId, level }: LaptopDetails,
): Promise<ShownMeasurement | null> {
  const {
    measurement,
    check,
    batteryPoints: points,
    inspectionClaims: claims,
    inspectionPhotos: shopPhotos,
  } = await client.call(readMeasurement, { params: { _id: laptopId } });
  if (measurement === null) return null;
  return {
    html: measurementHtml({ laptopId, level, measurement, claims, shopPhotos, check, points }),
    comparisons: measurement.comparisons,
  };
}

/** Reads a laptop's seller; null after the account has ended. */
const readSellerIfActive = (client: Client, { seller_id: sellerId }: LaptopDetails) =>
  client.call(readSeller, { params: { sellerId } }).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 410) return null;
    throw error;
  });

/**
 * Responds with 404 for an unknown laptop, with 410 for one that left the shop, and redirects a URL with another slug.
 * @throws Response 503 when the laptop cannot be read
 */
export async function loader({ context, params: { id, slug }, url }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client, origin, report, shop } = site;
  try {
    const details = await client.call(readLaptop, { params: { _id: id } });
    const path = laptopUrl(details);
    if (`/laptop/${id}/${slug ?? ''}` !== path) {
      throw redirect(`${path}${visibleQuery(url)}`, 301);
    }
    const [measured, seller, similar] = await Promise.all([
      readMeasured(client, details),
      orNull(site, readSellerIfActive(client, details)),
      orNull(site, readSimilar(client, details)),
    ]);
    const laptop = toShownLaptop(details, { measured, seller }, shop.name);
    return {
      laptop,
      similar,
      url: `${origin}${path}`,
      complaintDays: deadlineDays('released'),
      meta: laptopMeta(laptop, site),
      sendingDays: deadlineDays('to_ship'),
    };
  } catch (error) {
    const meta = missingMeta(site);
    return missingOrThrow(error, report) === 'gone'
      ? data({ missing: 'gone', message: errorMessage(error), meta } as const, 410)
      : data({ missing: 'unknown', meta } as const, 404);
  }
}

/** The dialogs change only the query string, which needs no new data. A revalidation changes nothing of the address. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate &&
  (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search);

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

export default function LaptopPage({ loaderData }: Route.ComponentProps) {
  if (!('missing' in loaderData)) {
    const { meta: _, ...shown } = loaderData;
    return <LaptopView key={shown.laptop._id} {...shown} />;
  }
  return (
    <Suspense>
      {loaderData.missing === 'gone' ? <Gone message={loaderData.message} /> : <NotFound />}
    </Suspense>
  );
}
