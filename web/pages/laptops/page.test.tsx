import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { byFacet } from '#contract/listings/facets.ts';
import type { FoundLaptop, SearchResult } from '#contract/listings/search.ts';
import { createClient } from '#contract/platform/client.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { serverContext } from '../../server-context.ts';
import { describeSearch } from './describe-search.ts';
import NothingFound from './nothing-found.tsx';
import { loader } from './page.tsx';
import { parseSearch } from './parse-search.ts';
import { searchUrl, withoutFilter } from './search-url.ts';

const counts = (value: string) => [{ value, count: 2 }];

const found: SearchResult = {
  total: 2,
  laptops: [],
  next: null,
  skipped: 0,
  facets: { ...byFacet(() => []), brand: counts('HP'), memory: counts('16') },
  loosen: [],
  closest: [],
  understood: [],
  words: '',
  sort: 'newest',
};

const foundLaptop: FoundLaptop = {
  _id: '00000000-0000-4000-8000-000000000001',
  category_Id: 'HP',
  name: 'HP EliteBook 840 G8',
  location: 'Rotterdam',
  image: 'https://photos.example/a.webp',
  facts: { memory: 16, battery: 91, batteryMeasured: true },
  original_price: 1499,
  resale_price: 549.99,
  condition: 'Excellent',
  delivery: 'meet',
  level: 'word',
  sellers_name: 'Nadia',
  seller_id: '00000000-0000-4000-8000-000000000002',
  sellerVerified: true,
};

const refusal = (status: number, code: string, more: object = {}) =>
  Response.json({ title: code, status, code, detail: `Refused: ${code}.`, ...more }, { status });

const hp = { _id: '00000000-0000-4000-8000-000000000003', category_Id: 'HP', image: '/brands/hp.svg' };

/** Loads a results page of a shop that answers searches with `answer`. @returns also the requested URLs */
async function load(path: string, answer: (url: URL) => Response) {
  const requested: string[] = [];
  const context = new RouterContextProvider();
  context.set(serverContext, {
    client: createClient({
      base: '/api',
      fetch: async (path) => {
        const url = new URL(path, 'https://shop.example');
        if (url.pathname === '/api/brands') return Response.json([hp]);
        if (url.pathname === '/api/brands/Compaq') return Response.json({ category_Id: 'HP', hidden: false });
        requested.push(decodeURIComponent(url.search));
        return answer(url);
      },
      token: () => null,
    }),
    origin: 'https://shop.example',
    shop: defaultShopSettings,
    nonce: 'n',
    isBuffered: false,
    report: () => {},
  });
  const url = new URL(path, 'https://shop.example');
  const loaded = await loader({ request: new Request(url), url, context, params: {}, pattern: '/laptops' });
  const { status = 200, headers } = loaded.init ?? {};
  return { loaded: loaded.data, status, headers: new Headers(headers), requested };
}

test('searches with the parameters that it understands', async () => {
  const { loaded, requested } = await load('/laptops?brand=HP&memory=16&memory=lots&junk=1', () =>
    Response.json(found),
  );
  expect(requested).toEqual(['?q=&brand=HP&memory=16']);
  expect(loaded).toMatchObject({
    title: 'HP laptops, 16 GB',
    parameters: 'brand=HP&memory=16',
    result: { total: 2 },
    groups: [{ name: 'brand' }, { name: 'memory', values: [{ label: '16 GB', count: 2 }] }],
    failure: null,
  });
});

test('redirects from a former name of a brand to its present one', async () => {
  const redirected: unknown = await load('/laptops?brand=HP&brand=Compaq&memory=16', () =>
    Response.json(found),
  ).catch((error: unknown) => error);
  expect(redirected instanceof Response && [redirected.status, redirected.headers.get('location')]).toEqual([
    301,
    '/laptops?brand=HP&memory=16',
  ]);
});

test('shows the first page for a cursor that the server does not know', async () => {
  const { loaded, requested } = await load('/laptops?cursor=old', (url) =>
    url.searchParams.has('cursor')
      ? refusal(422, 'invalid_input', { errors: { cursor: 'Unknown cursor' } })
      : Response.json(found),
  );
  expect(requested).toHaveLength(2);
  expect(loaded.result?.total).toBe(2);
});

test.each([
  [{ skipped: 0, listed: 24 }, null],
  [{ skipped: 24, listed: 24 }, '25–48 of 1,059'],
  [{ skipped: 1_056, listed: 3 }, '1,057–1,059 of 1,059'],
  [{ skipped: 1_056, listed: 0 }, '1,056 of 1,059'],
])('a page of %j says which laptops it shows', async ({ skipped, listed }, range) => {
  const laptops = Array.from({ length: listed }, () => foundLaptop);
  const { loaded } = await load('/laptops?cursor=c', () =>
    Response.json({ ...found, total: 1_059, skipped, laptops }),
  );
  expect(loaded.result?.range).toBe(range);
});

test.each([
  [503, 'busy'],
  [429, 'too_many_requests'],
])('a refused search (%i) has its message and status, and the time to try again', async (status, code) => {
  const { loaded, ...answer } = await load('/laptops?brand=HP', () => refusal(status, code));
  expect(answer.status).toBe(status);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(loaded).toMatchObject({ result: null, failure: `Refused: ${code}.`, parameters: 'brand=HP' });
});

/** The text of an empty result for `search`. */
function nothingFound(search: string, loosen: SearchResult['loosen'] = []) {
  const parameters = new URLSearchParams(search);
  const element = (
    <NothingFound
      result={{ loosen, closest: [] }}
      urlWithout={(filters) => searchUrl(filters.reduce(withoutFilter, parameters))}
      chosen={describeSearch(parseSearch(parameters)).chosen}
      gridClasses=""
    />
  );
  return renderToStaticMarkup(<MemoryRouter>{element}</MemoryRouter>);
}

test('an empty result says which filters to remove together when no one is enough', () => {
  const html = nothingFound('brand=HP&memory=64&condition=Fair&max_price=100', [
    { filters: ['price', 'condition'], total: 12 },
    { filters: ['memory', 'price', 'brand'], total: 1 },
  ]);
  expect(html).toContain('Without Fair and up to $100: 12 laptops');
  expect(html).toContain('href="/laptops?brand=HP&amp;memory=64"');
  expect(html).toContain('Without HP, 64 GB, and up to $100: 1 laptop<');
  expect(html).not.toContain('spelling');
});

test('an empty result mentions the spelling only of typed words', () => {
  expect(nothingFound('q=xyzzy&memory=4')).toContain('Check the spelling');
  expect(nothingFound('memory=4&storage=32')).toContain('Start again with fewer filters.');
});

test('an empty result says which filters to remove, with the number of laptops', () => {
  const html = nothingFound('brand=HP&brand=Dell&memory=16&max_price=100', [
    { filters: ['brand'], total: 3 },
    { filters: ['price'], total: 1 },
  ]);
  expect(html).toContain('Without Dell or HP: 3 laptops');
  expect(html).toContain('href="/laptops?memory=16&amp;max_price=100"');
  expect(html).toContain('At any price: 1 laptop<');
  expect(html).not.toContain('Without 16 GB');
});
