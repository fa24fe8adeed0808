import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { byFacet } from '#contract/listings/facets.ts';
import { createClient } from '#contract/platform/client.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { exampleLaptop } from '../../laptops/testing/example-laptop.ts';
import { toTileLaptop } from '../../laptops/tile-laptop.ts';
import { serverContext } from '../../server-context.ts';
import { SessionProvider } from '../../session/session.tsx';
import { exampleSettings } from '../../testing/example-settings.ts';
import { Advertised } from './advertised.tsx';
import { Brands } from './brands.tsx';
import { loader } from './page.tsx';

const laptop: Laptop = { ...exampleLaptop, facts: {}, description: 'Well kept' };

function load(answer: (url: string) => Response) {
  const reported: unknown[] = [];
  const context = new RouterContextProvider();
  context.set(serverContext, {
    client: createClient({ base: '/api', fetch: async (url) => answer(url), token: () => null }),
    origin: 'https://shop.example',
    shop: defaultShopSettings,
    nonce: 'n',
    isBuffered: false,
    report: (error) => reported.push(error),
  });
  const request = new Request('https://shop.example/');
  const url = new URL(request.url);
  return { loaded: loader({ request, url, context, params: {}, pattern: '/' }), reported };
}

function render(Component: () => React.ReactNode): string {
  const Stub = createRoutesStub([{ path: '/', Component }]);
  return renderToStaticMarkup(
    <SessionProvider settings={exampleSettings}>
      <Stub initialEntries={['/']} />
    </SessionProvider>,
  );
}

test('reports a failed list and loads the rest of the page', async () => {
  const brands = [{ _id: laptop._id, category_Id: 'HP', image: 'https://photos.example/hp.webp' }];
  const { loaded, reported } = load((url) =>
    url.startsWith('/api/brands') ? Response.json(brands) : new Response('broken', { status: 500 }),
  );
  expect(await loaded).toMatchObject({ brands, advertised: null, inspected: [], filmed: null });
  expect(reported).toHaveLength(3);
});

test('finds the laptop of the film among the advertised ones or by a search, only by its whole name', async () => {
  const filmed = { _id: laptop._id, name: laptop.name, resale_price: laptop.resale_price };
  const found = (name: string) => ({
    ...{ total: 1, skipped: 0, next: null, loosen: [], laptops: [{ ...laptop, name }] },
    ...{ closest: [], sort: 'newest', understood: [], words: '' },
    facets: byFacet(() => []),
  });
  const shop = (advertised: Laptop[], name: string) =>
    load((url) => {
      if (url.startsWith('/api/brands')) return Response.json([]);
      return Response.json(url.startsWith('/api/advertisement') ? advertised : found(name));
    }).loaded;
  expect(await shop([laptop], 'Other')).toMatchObject({ filmed });
  expect(await shop([], laptop.name)).toMatchObject({ filmed });
  expect(await shop([], `${laptop.name} charger`)).toMatchObject({ filmed: null });
});

test('an advertised laptop shows both prices, links to its booking, and says whether it ships free', () => {
  const sent = { ...laptop, delivery: 'both' } as const;
  const html = render(() => <Advertised laptops={[toTileLaptop(sent)]} />);
  expect(html).toContain('Ships free');
  expect(html).toContain('Advertise Laptops');
  expect(html).toContain('Today&#x27;s Great deals. Buy pre-owned laptops at cheapest price.');
  expect(html).toContain('<s class="text-muted text-sm">$1,499.00</s>');
  expect(html).toContain('$549.99');
  expect(html).toContain(`href="${laptopUrl(laptop)}?book=yes"`);
});

test('an advertised laptop that is as dear as it was shows both prices, and no saving', () => {
  const same = { ...laptop, original_price: laptop.resale_price };
  const html = render(() => <Advertised laptops={[toTileLaptop(same)]} />);
  expect(html).toContain('<s class="text-muted text-sm">$549.99</s>');
  expect(html).not.toContain('You save');
});

test('renders no section without advertised laptops', () => {
  expect(render(() => <Advertised laptops={[]} />)).toBe('');
});

test('offers a retry for a section that could not be loaded', () => {
  expect(render(() => <Advertised laptops={null} />)).toContain('Try again');
  expect(render(() => <Brands brands={null} />)).toContain('Try again');
});
