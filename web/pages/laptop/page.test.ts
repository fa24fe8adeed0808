import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { LaptopDetails } from '#contract/listings/laptop-schemas.ts';
import { createClient } from '#contract/platform/client.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { exampleLaptop } from '../../laptops/testing/example-laptop.ts';
import { serverContext } from '../../server-context.ts';
import { loader } from './page.tsx';

const laptop: LaptopDetails = { ...exampleLaptop, delivery: 'both', ships_from: 'PT' };

/** Where the loader of a laptop's page redirects to from an address without the slug. */
async function locationFrom(query: string): Promise<string | null> {
  const context = new RouterContextProvider();
  context.set(serverContext, {
    client: createClient({ base: '/api', fetch: async () => Response.json(laptop), token: () => null }),
    origin: 'https://shop.example',
    shop: defaultShopSettings,
    nonce: 'n',
    isBuffered: false,
    report: () => {},
  });
  const url = new URL(`https://shop.example/laptop/${laptop._id}${query}`);
  const params = { id: laptop._id };
  const pattern = '/laptop/:id/:slug?';
  const thrown: unknown = await loader({ request: new Request(url), url, context, params, pattern }).catch(
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof Response)) throw thrown;
  return thrown.headers.get('location');
}

test('a redirect to the slug repeats the query, without the parameter of React Router’s own requests', async () => {
  const path = `/laptop/${laptop._id}/hp-elitebook-840-g8`;
  expect(await locationFrom('?book=yes')).toBe(`${path}?book=yes`);
  expect(await locationFrom('?book=yes&_routes=pages%2Flaptop%2Fpage')).toBe(`${path}?book=yes`);
  expect(await locationFrom('?_routes=pages%2Flaptop%2Fpage')).toBe(path);
});
