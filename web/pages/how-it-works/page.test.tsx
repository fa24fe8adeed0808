import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { byFacet } from '#contract/listings/facets.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import { createClient } from '#contract/platform/client.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { serverContext } from '../../server-context.ts';
import { exampleSettings } from '../../testing/example-settings.ts';
import { HowItWorks } from './how-it-works.tsx';
import { loader } from './page.tsx';

const operator = {
  ...defaultShopSettings.legal,
  company: 'Other Lda.',
  address: 'Rua Nova 1, Lisbon',
  registerNumber: '514 329',
};
const inspected = {
  _id: '00000000-0000-4000-8000-000000000001',
  category_Id: 'Dell',
  name: 'Dell Latitude 7420',
  location: 'Porto',
  image: 'https://photos.example/a.webp',
  facts: {},
  original_price: 1000,
  resale_price: 400,
  condition: 'Good',
  delivery: 'meet',
  level: 'inspected_hand',
  sellers_name: 'Nadia',
  seller_id: '00000000-0000-4000-8000-000000000002',
  sellerVerified: true,
};
const result = (laptops: unknown[]) => ({
  ...{ total: laptops.length, laptops, skipped: 0, next: null, loosen: [] },
  ...{ closest: [], sort: 'newest', understood: [], words: '' },
  facets: byFacet(() => []),
});

/** Renders the page of a shop that answers these calls; other calls fail. */
async function render(answers: Readonly<Record<string, unknown>>, legal = defaultShopSettings.legal) {
  const reported: unknown[] = [];
  const context = new RouterContextProvider();
  const fetch = async (url: string) =>
    url in answers ? Response.json(answers[url]) : new Response('broken', { status: 500 });
  context.set(serverContext, {
    client: createClient({ base: '/api', fetch, token: () => null }),
    origin: 'https://shop.example',
    shop: { ...defaultShopSettings, name: 'Other', legal },
    nonce: 'n',
    isBuffered: false,
    report: (error) => reported.push(error),
  });
  const request = new Request('https://shop.example/how-it-works');
  const url = new URL(request.url);
  const { meta, ...shown } = await loader({ request, url, context, params: {}, pattern: '/how-it-works' });
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <HowItWorks {...shown} />
    </MemoryRouter>,
  );
  return { html, reported, meta };
}

const search = (level: string) => `/api/laptops?level=${level}&limit=1`;
const noExamples = Object.fromEntries(
  ['measured', 'inspected_photos', 'inspected_hand'].map((level) => [search(level), result([])]),
);

test('shows who runs the shop, a certificate of the shop and its figures', async () => {
  const figures = { sales: 187, complaints: 31, refunded: 12, medianDaysToDecide: 2.2 };
  const { html, reported, meta } = await render(
    {
      ...noExamples,
      '/api/shopFigures': { figures },
      '/api/settings': exampleSettings,
      [search('inspected_hand')]: result([inspected]),
    },
    operator,
  );
  expect(reported).toEqual([]);
  expect(html).toContain('Other Lda.');
  expect(html).toContain('Rua Nova 1, Lisbon');
  expect(html).toContain('Only now the shop pays the seller.');
  expect(html).not.toContain('VAT number');
  expect(html).toContain(`href="/c/${inspected._id}"`);
  expect(html.match(/A certificate of this shop/g)).toHaveLength(1);
  expect(html).toMatch(/Sales counted<\/dt><dd[^>]*><span[^>]*>187</);
  expect(html).toMatch(/decided within<\/dt><dd[^>]*><span[^>]*>3 days</);
  expect(meta[0]).toEqual({ title: 'How it works · Other' });
});

test('says the days of the orders’ deadlines', async () => {
  const { html } = await render(noExamples);
  expect(html).toContain(`${deadlineDays('released')} days to complain`);
  expect(html).toContain(`released ${deadlineDays('held')} days after your payment`);
  expect(html).toContain(`decides within ${deadlineDays('contested')} days`);
});

test('is complete without figures, certificates and an operator, and reports what failed', async () => {
  const { html, reported } = await render({});
  expect(reported).toHaveLength(5);
  expect(html).toContain('has not said so here yet');
  expect(html).not.toContain('A certificate of this shop');
  expect(html).not.toContain('What became of the latest sales');
});
