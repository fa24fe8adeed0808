import { useRef } from 'react';
import { href, Link } from 'react-router';
import { listAdvertisements, listBrands } from '#contract/listings/catalogue.ts';
import { clockDays } from '#contract/money/order-states.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { shippingNote } from '../../formats/shipping-note.ts';
import { Definitions } from '../../laptops/definition-chip.tsx';
import { definitionsHtml } from '../../laptops/definitions.server.tsx';
import { SearchForm } from '../../layout/search-form.tsx';
import { useSellLink } from '../../layout/use-sell-link.ts';
import { serverContext } from '../../server-context.ts';
import { useShop } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import type { Route } from './+types/page.ts';
import { Advertised } from './advertised.tsx';
import { toAdvertisedLaptop } from './advertised-laptop.ts';
import { Brands } from './brands.tsx';
import { FilmedLaptopLink } from './filmed-laptop.tsx';
import { HeroVideo } from './hero-video.tsx';
import { homeMeta } from './home-meta.ts';
import { Inspected } from './inspected.tsx';
import { type FilmedLaptop, readFilmedLaptop } from './read-filmed-laptop.ts';
import { readInspected } from './read-inspected.ts';
import { Why } from './why.tsx';

export const handle = deferHydration;

/** A section whose request failed is null, so that the rest of the page is shown. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client, report } = site;
  const orNull = (error: unknown) => {
    report(error);
    return null;
  };
  const [brands, advertised, inspected] = await Promise.all([
    client.call(listBrands, {}).catch(orNull),
    client.call(listAdvertisements, { query: { limit: 12 } }).catch(orNull),
    readInspected(client, report),
  ]);
  const filmed = await readFilmedLaptop(client, advertised ?? [], report);
  return {
    brands,
    advertised: advertised?.map(toAdvertisedLaptop) ?? null,
    filmed,
    inspected,
    complaintDays: clockDays('released'),
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

/** What protects a buyer, as three steps. @param props.complaintDays how many days after the hand-over or the arrival a buyer can complain */
function Steps({ complaintDays }: { complaintDays: number }) {
  const steps = [
    ['You pay the shop, not the seller', 'We hold your money.'],
    ['You look before the seller is paid', 'When you meet, or when the parcel has arrived.'],
    [`${complaintDays} days to complain after that`, 'A complaint stops the money.'],
  ] as const;
  return (
    <>
      <ol className="mt-6 flex list-decimal flex-col gap-1 pl-5 marker:font-semibold marker:text-muted">
        {steps.map(([step, consequence]) => (
          <li key={step}>
            <strong className="font-semibold">{step}.</strong>{' '}
            <span className="text-muted">{consequence}</span>
          </li>
        ))}
      </ol>
      <Link to={href('/how-it-works')} className="link mt-1 inline-block py-0.5 pl-5 font-semibold">
        How it works
      </Link>
    </>
  );
}

interface HeroProps {
  filmed: FilmedLaptop | null;
  complaintDays: number;
}

function Hero({ filmed, complaintDays }: HeroProps) {
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
        <Steps complaintDays={complaintDays} />
        <div className="mt-4 flex flex-wrap gap-3">
          <LinkButton variant="secondary" to={href('/laptops')}>
            Choose a laptop
          </LinkButton>
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
