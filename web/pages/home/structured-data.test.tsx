import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub, Meta } from 'react-router';
import { expect, test } from 'vitest';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { offersJsonLd, organizationJsonLd } from './structured-data.ts';

const origin = 'https://shop.example';
const laptop: Laptop = {
  _id: '00000000-0000-4000-8000-000000000001',
  category_Id: 'HP',
  name: 'EliteBook </script><script>alert(1)</script> & <!-- more',
  location: 'Rotterdam',
  image: 'https://photos.example/a.webp',
  images: ['https://photos.example/a.webp'],
  facts: {},
  description: { Processor: 'Intel Core i5', Memory: '16 GB' },
  original_price: 1499,
  resale_price: 549.9,
  posted_time: '11/18/2026, 10:24:05 AM',
  sellers_name: 'Nadia',
  seller_id: '00000000-0000-4000-8000-000000000002',
  use_time: '2 years',
  condition: 'Excellent',
  delivery: 'meet',
  paid: false,
  level: 'word',
  sellerVerified: true,
  advertisement: true,
};

test('describes an advertised laptop as a used product with its price in dollars', () => {
  const sent = { ...laptop, delivery: 'both' as const, ships_from: 'US' };
  const [shipped] = offersJsonLd(origin, [sent]).itemListElement;
  expect(shipped?.item.offers).toMatchObject({
    shippingDetails: {
      shippingRate: { value: 0, currency: 'USD' },
      shippingDestination: { addressCountry: 'US' },
    },
  });
  const [first] = offersJsonLd(origin, [laptop]).itemListElement;
  expect(first?.item.offers).not.toHaveProperty('shippingDetails');
  expect(first).toMatchObject({
    position: 1,
    item: {
      '@type': 'Product',
      url: `${origin}/laptop/${laptop._id}/elitebook-script-script-alert-1-script-more`,
      image: ['https://photos.example/a.webp'],
      description: 'Intel Core i5, 16 GB',
      brand: { name: 'HP' },
      itemCondition: 'https://schema.org/UsedCondition',
      offers: {
        price: '549.90',
        priceCurrency: 'USD',
        itemCondition: 'https://schema.org/UsedCondition',
        availability: 'https://schema.org/InStock',
      },
    },
  });
});

test('describes the shop as an organization that publishes a site', () => {
  const [organization, site] = organizationJsonLd(origin)['@graph'];
  expect(organization).toMatchObject({ '@type': 'Organization', name: 'Coomercio', url: `${origin}/` });
  expect(site).toMatchObject({ '@type': 'WebSite', publisher: { '@id': organization?.['@id'] } });
});

test('escapes a name that would end the script', () => {
  const Stub = createRoutesStub([
    {
      path: '/',
      Component: Meta,
      meta: () => [{ 'script:ld+json': offersJsonLd(origin, [laptop]) }],
    },
  ]);
  const html = renderToStaticMarkup(<Stub initialEntries={['/']} />);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<\/script/g)).toHaveLength(1);
  const [, json = ''] = /<script type="application\/ld\+json">(.*)<\/script>/s.exec(html) ?? [];
  expect(json).not.toMatch(/[<>&]/);
  expect(JSON.parse(json)).toMatchObject({ itemListElement: [{ item: { name: laptop.name } }] });
});
