import { href } from 'react-router';
import { listAdvertisements, listBrands } from '#contract/catalogue.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { originOf, publicMeta } from '../../metadata/page-meta.ts';
import { serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { Advertised } from './advertised.tsx';
import { Brands } from './brands.tsx';
import { Hero } from './hero.tsx';
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
