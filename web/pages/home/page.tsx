import { href } from 'react-router';
import { listAdvertisements, listBrands } from '#contract/catalogue.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { useSellLink } from '../../layout/use-sell-link.ts';
import { originOf, publicMeta } from '../../metadata/page-meta.ts';
import { serverContext } from '../../server-context.ts';
import { LinkButton } from '../../ui/button.tsx';
import type { Route } from './+types/page.ts';
import { Advertised } from './advertised.tsx';
import { Brands } from './brands.tsx';
import { HeroVideo } from './hero-video.tsx';
import { offersJsonLd, organizationJsonLd } from './structured-data.ts';
import { Why } from './why.tsx';

export const handle = deferHydration;

/** A section whose request failed is null, so that the rest of the page is shown. */
export async function loader({ context }: Route.LoaderArgs) {
  const { client, report } = context.get(serverContext);
  const orNull = (error: unknown) => {
    report(error);
    return null;
  };
  const [brands, advertised] = await Promise.all([
    client.call(listBrands, {}).catch(orNull),
    client.call(listAdvertisements, { query: { limit: 12 } }).catch(orNull),
  ]);
  return { brands, advertised };
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const origin = originOf(matches);
  const advertised = loaderData?.advertised ?? [];
  return [
    ...publicMeta({
      title: 'Coomercio · Certified pre-owned laptops',
      description:
        'Buy and sell certified pre-owned laptops: real photos, the facts of each machine, and a seller you can call.',
      path: href('/'),
      origin,
    }),
    { 'script:ld+json': organizationJsonLd(origin) },
    ...(advertised.length > 0 ? [{ 'script:ld+json': offersJsonLd(origin, advertised) }] : []),
  ];
};

function Hero() {
  return (
    <section className="page-width grid items-center gap-8 py-8 sm:py-12 lg:grid-cols-[1.02fr_1fr] lg:gap-12 lg:py-16">
      <div>
        <p className="mb-4 font-semibold text-quiet">Pre-owned laptops, shown as they are, since 2018</p>
        <h1 className="font-extrabold text-[2.6rem] leading-[0.98] tracking-[-0.035em] sm:text-6xl xl:text-7xl">
          BUY AND SELL CERTIFIED <span className="whitespace-nowrap">PRE-OWNED</span> LAPTOPS
        </h1>
        <p className="mt-6 font-display font-semibold text-lg text-quiet tracking-wide">
          DAILY DEALS. FREE SHIPPING
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton to="#brands">Choose a laptop</LinkButton>
          <LinkButton variant="secondary" to={useSellLink()}>
            Sell yours
          </LinkButton>
        </div>
      </div>
      <HeroVideo />
    </section>
  );
}

export default function HomePage({ loaderData: { brands, advertised } }: Route.ComponentProps) {
  return (
    <>
      <Hero />
      <Advertised laptops={advertised} />
      <Brands brands={brands} />
      <Why />
    </>
  );
}
