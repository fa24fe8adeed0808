import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import type { SearchResult } from '#contract/search.ts';
import { serverContext } from '../../server-context.ts';
import { NothingFound } from './nothing-found.tsx';
import { loader } from './page.tsx';
import { searchUrl, withoutFilter } from './search-url.ts';

const counts = (value: string) => [{ value, count: 2 }];

const found: SearchResult = {
  total: 2,
  laptops: [],
  next: null,
  facets: {
    brand: counts('HP'),
    condition: [],
    memory: counts('16'),
    storage: [],
    screen: [],
    processor: [],
    generation: [],
    graphics: [],
    system: [],
    verified: [],
    level: [],
    place: [],
  },
  loosen: [],
};

const refusal = (status: number, code: string, more: object = {}) =>
  Response.json({ title: code, status, code, detail: `Refused: ${code}.`, ...more }, { status });

/** Loads a results page of a shop that answers searches with `answer`. @returns also the requested URLs */
async function load(path: string, answer: (url: URL) => Response) {
  const requested: string[] = [];
  const context = new RouterContextProvider();
  context.set(serverContext, {
    client: createClient({
      base: '/api',
      fetch: async (path) => {
        const url = new URL(path, 'https://shop.example');
        requested.push(decodeURIComponent(url.search));
        return answer(url);
      },
      token: () => null,
    }),
    origin: 'https://shop.example',
    nonce: 'n',
    isBuffered: false,
    report: () => {},
    staticHtml: null,
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
  [503, 'busy'],
  [429, 'too_many_requests'],
])('a refused search (%i) has its message and status, and the time to try again', async (status, code) => {
  const { loaded, ...answer } = await load('/laptops?brand=HP', () => refusal(status, code));
  expect(answer.status).toBe(status);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(loaded).toMatchObject({ result: null, failure: `Refused: ${code}.`, parameters: 'brand=HP' });
});

function NothingFoundForHpAndDell() {
  const parameters = new URLSearchParams('brand=HP&brand=Dell&memory=16&max_price=100');
  return (
    <NothingFound
      loosen={[
        { filter: 'brand', total: 3 },
        { filter: 'price', total: 1 },
      ]}
      urlWithout={(filter) => searchUrl(withoutFilter(parameters, filter))}
      chosen={[
        { filter: 'brand', value: 'Dell', label: 'Dell' },
        { filter: 'brand', value: 'HP', label: 'HP' },
        { filter: 'memory', value: '16', label: '16 GB' },
        { filter: 'price', value: null, label: 'up to $100' },
      ]}
    />
  );
}

test('an empty result says which filters to remove, with the number of laptops', () => {
  const Stub = createRoutesStub([{ path: '/', Component: NothingFoundForHpAndDell }]);
  const html = renderToStaticMarkup(<Stub initialEntries={['/']} />);
  expect(html).toContain('Without Dell or HP: 3 laptops');
  expect(html).toContain('href="/laptops?memory=16&amp;max_price=100"');
  expect(html).toContain('At any price: 1 laptop<');
  expect(html).not.toContain('Without 16 GB');
});
