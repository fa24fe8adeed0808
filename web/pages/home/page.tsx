import { useRef } from 'react';
import { href, Link, type MetaDescriptor } from 'react-router';
import { type Laptop, listAdvertisements, listBrands } from '#contract/listings/catalogue.ts';
import { inspectedLevels } from '#contract/listings/levels.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import type { Client } from '#contract/platform/client.ts';
import { formatAmount } from '#contract/platform/money.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { BuyerPromise } from '../../bookings/buyer-promise.tsx';
import { deferHydration } from '../../deferred-hydration.tsx';
import { shippingNote } from '../../formats/shipping-note.ts';
import { Definitions } from '../../laptops/chips.tsx';
import { definitionsHtml } from '../../laptops/definitions.server.tsx';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { type TileLaptop, toTileLaptop } from '../../laptops/tile-laptop.ts';
import { SearchForm } from '../../layout/search-form.tsx';
import { useSellLink } from '../../layout/use-sell-link.ts';
import { publicMeta, type Site } from '../../metadata/page-meta.ts';
import { orNull, serverContext } from '../../server-context.ts';
import { useShop } from '../../session/session.tsx';
import { Button, LinkButton, SecondaryLink } from '../../ui/button.tsx';
import type { Route } from './+types/page.ts';
import { Advertised } from './advertised.tsx';
import { Brands } from './brands.tsx';
import { HeroVideo } from './hero-video.tsx';
import { type FilmedLaptop, readFilmedLaptop } from './read-filmed-laptop.ts';
import { offersJsonLd, organizationJsonLd } from './structured-data.ts';
import { Why } from './why-pre-owned.tsx';

/** Laptops that the shop has inspected; nothing when none is for sale. */
function Inspected({ laptops }: { laptops: readonly TileLaptop[] }) {
  if (laptops.length === 0) return null;
  return (
    <section aria-labelledby="inspected" className="page-width pt-16">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="inspected" className="text-3xl sm:text-4xl">
          Inspected by us
        </h2>
        <Link
          to={`${href('/laptops')}?level=inspected_hand&level=inspected_photos`}
          className="link inline-block py-0.5 font-semibold"
        >
          All inspected laptops
        </Link>
      </div>
      <ul className="mt-6 grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
        {laptops.map((laptop) => (
          <li key={laptop._id} className="flex">
            <LaptopTile laptop={laptop} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Milliseconds after which the page is sent without them. */
const TIMEOUT = 500;

/** Reads the newest laptops for sale that the shop has inspected. */
async function readInspected(client: Client): Promise<TileLaptop[]> {
  const query = { level: inspectedLevels, limit: 4 };
  const found = await client.call(searchLaptops, { query, signal: AbortSignal.timeout(TIMEOUT) });
  return found.laptops.map(toTileLaptop);
}

/** The tags of the page. The loader makes them, so that browsers need no code for them. */
function homeMeta(site: Site & { shop: PublicShop }, advertised: Laptop[]): MetaDescriptor[] {
  return [
    ...publicMeta({
      title: null,
      description:
        'Buy and sell certified pre-owned laptops: real photos, the facts of each machine, and a seller you can call.',
      path: href('/'),
      site,
    }),
    { 'script:ld+json': organizationJsonLd(site) },
    ...(advertised.length > 0 ? [{ 'script:ld+json': offersJsonLd(site.origin, advertised) }] : []),
  ];
}

/** The name and price of the laptop in the hero video, with a link to its page. */
function FilmedLaptopLink({ laptop }: { laptop: FilmedLaptop }) {
  return (
    <Link
      to={laptopUrl(laptop)}
      className="group absolute bottom-3 left-3 max-w-[calc(100%-88px)] rounded-xl border border-border bg-surface px-3.5 py-2 text-sm hover:border-border-strong"
    >
      <span className="sr-only">In the film: </span>
      <span className="block font-semibold [overflow-wrap:anywhere] group-hover:underline">
        {laptop.name}
      </span>
      <span className="figures text-muted">{formatAmount(laptop.resale_price)}, for sale now</span>
    </Link>
  );
}

export const handle = deferHydration;

/** A section whose request failed is null, so that the rest of the page is shown. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client } = site;
  const [brands, advertised, inspected] = await Promise.all([
    orNull(site, client.call(listBrands, {})),
    orNull(site, client.call(listAdvertisements, { query: { limit: 12 } })),
    orNull(site, readInspected(client)),
  ]);
  const filmed = await orNull(site, readFilmedLaptop(client, advertised ?? []));
  return {
    brands,
    advertised: advertised?.map(toTileLaptop) ?? null,
    filmed,
    inspected: inspected ?? [],
    complaintDays: deadlineDays('released'),
    definitions: definitionsHtml,
    meta: homeMeta(site, advertised ?? []),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

/** The search below the headline. */
function HeroSearch() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <search aria-label="Find a laptop" className="hero-search block">
      <SearchForm
        input={input}
        label="Find a laptop"
        placeholder="Model, purpose, price or place"
        words=""
        className="max-w-xl flex-wrap gap-2"
        inputClassName="min-h-12 min-w-[min(100%,10rem)] flex-1 px-4"
      >
        <Button type="submit" className="min-h-12">
          Search
        </Button>
      </SearchForm>
    </search>
  );
}

function Hero({ filmed, complaintDays }: { filmed: FilmedLaptop | null; complaintDays: number }) {
  const { since } = useShop();
  return (
    <section className="page-width grid items-center gap-8 py-8 sm:py-12 lg:grid-cols-[1.02fr_1fr] lg:gap-12 lg:py-14">
      <div>
        <p className="mb-4 font-semibold text-muted">
          Pre-owned laptops, shown as they are{since !== null && `, since ${since}`}
        </p>
        <h1 className="font-extrabold text-[min(2.6rem,12.5vw)] leading-[0.98] tracking-[-0.035em] sm:text-6xl xl:text-7xl">
          BUY AND SELL CERTIFIED <span className="whitespace-nowrap">PRE-OWNED</span> LAPTOPS
        </h1>
        <p className="mt-6 font-display font-semibold text-lg text-muted tracking-wide">
          DAILY DEALS. FREE SHIPPING
        </p>
        <p className="mt-1 mb-5 max-w-xl">{shippingNote}</p>
        <HeroSearch />
        <div className="mt-6">
          <BuyerPromise seller="the seller" delivery="both" complaintDays={complaintDays} />
        </div>
        <div className="mt-4 flex flex-wrap gap-3">
          <SecondaryLink to={href('/laptops')}>Choose a laptop</SecondaryLink>
          <LinkButton variant="quiet" to={useSellLink()}>
            Sell yours
          </LinkButton>
        </div>
      </div>
      <div className="relative">
        <HeroVideo />
        {filmed !== null && <FilmedLaptopLink laptop={filmed} />}
      </div>
    </section>
  );
}

export default function HomePage({
  loaderData: { brands, advertised, inspected, filmed, complaintDays, definitions },
}: Route.ComponentProps) {
  return (
    <>
      <Hero filmed={filmed} complaintDays={complaintDays} />
      <Advertised laptops={advertised} />
      <Inspected laptops={inspected} />
      <Brands brands={brands} />
      <Why />
      <Definitions html={definitions} />
    </>
  );
}
