import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub, Meta } from 'react-router';
import { expect, test } from 'vitest';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { exampleLaptop } from '../../laptops/testing/example-laptop.ts';
import { offersJsonLd, organizationJsonLd } from './structured-data.ts';

const origin = 'https://shop.example';
const laptop: Laptop = {
  ...exampleLaptop,
  name: 'EliteBook </script><script>alert(1)</script> & <!-- more',
  facts: {},
  description: { Processor: 'Intel Core i5', Memory: '16 GB' },
  resale_price: 549.9,
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
  const [organization, site] = organizationJsonLd({ origin, shop: defaultShopSettings })['@graph'];
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
