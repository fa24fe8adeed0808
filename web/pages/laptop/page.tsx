import { data, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { readLaptop } from '#contract/catalogue.ts';
import { Problem } from '#contract/client.ts';
import { formatDollars } from '#contract/money.ts';
import { photoSize } from '#contract/photo-names.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { NotFound } from '../../layout/not-found.tsx';
import { originOf, privateMeta, publicMeta } from '../../metadata/page-meta.ts';
import { productJsonLd } from '../../metadata/product-json-ld.ts';
import { serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { Gone } from './gone.tsx';
import { LaptopView } from './laptop-view.tsx';
import { readSimilar } from './read-similar.ts';
import { toShownLaptop } from './shown-laptop.ts';

export const handle = deferHydration;

/**
 * Responds with 404 for an unknown laptop, with 410 for one that left the shop, and redirects a URL with another slug.
 * @throws Response 503 when the laptop cannot be read
 */
export async function loader({ context, params: { id, slug }, request }: Route.LoaderArgs) {
  const { client, origin, report } = context.get(serverContext);
  try {
    const details = await client.call(readLaptop, { params: { _id: id } });
    const path = laptopUrl(details);
    if (`/laptop/${id}/${slug ?? ''}` !== path) {
      throw redirect(`${path}${new URL(request.url).search}`, 301);
    }
    return {
      laptop: toShownLaptop(details),
      similar: await readSimilar(client, details, report),
      url: `${origin}${path}`,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // 422: the id in the URL is not a UUID.
    if (error.status === 404 || error.status === 422) return data({ missing: 'unknown' } as const, 404);
    if (error.status === 410) return data({ missing: 'gone', message: error.message } as const, 410);
    report(error);
    throw data(null, { status: 503 });
  }
}

/** The dialogs change only the query string, which needs no new data. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => defaultShouldRevalidate && currentUrl.pathname !== nextUrl.pathname;

/** The maximum length of the description in characters. Search engines show no more. */
const MAXIMUM_DESCRIPTION = 170;

function shorten(text: string): string {
  return text.length <= MAXIMUM_DESCRIPTION ? text : `${text.slice(0, MAXIMUM_DESCRIPTION - 1).trimEnd()}…`;
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (loaderData === undefined || 'missing' in loaderData) return privateMeta('Laptop not found');
  const { laptop } = loaderData;
  const origin = originOf(matches);
  const path = laptopUrl(laptop);
  const summary = [laptop.factsLine, `${laptop.condition} condition`, `used ${laptop.use_time}`]
    .filter((part) => part !== '')
    .join(', ');
  const price = laptop.paid ? 'Sold' : formatDollars(laptop.resale_price);
  return [
    ...publicMeta({
      title: `${laptop.name} · Coomercio`,
      description: shorten(`${price} for a pre-owned ${laptop.name} in ${laptop.location}: ${summary}.`),
      path,
      origin,
      type: 'product',
      image: {
        url: laptop.image,
        size: photoSize(laptop.image),
        alt: `${laptop.name}, photographed by its seller`,
      },
    }),
    { property: 'product:price:amount', content: laptop.resale_price.toFixed(2) },
    { property: 'product:price:currency', content: 'USD' },
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        ...productJsonLd(laptop, `${origin}${path}`, laptop.words ?? (laptop.factsLine || undefined)),
      },
    },
  ];
};

export default function LaptopPage({ loaderData }: Route.ComponentProps) {
  if (!('missing' in loaderData)) return <LaptopView key={loaderData.laptop._id} {...loaderData} />;
  return loaderData.missing === 'gone' ? <Gone message={loaderData.message} /> : <NotFound />;
}
