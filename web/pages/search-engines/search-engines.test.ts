import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { serverContext } from '../../server-context.ts';
import { loader as robots } from './robots.ts';
import { loader as sitemap } from './sitemap.ts';

function ask(loader: typeof sitemap, path: string): Response {
  const context = new RouterContextProvider();
  context.set(serverContext, {
    client: createClient({ base: '/api', fetch: async () => new Response(), token: () => null }),
    origin: 'https://shop.example',
    nonce: 'n',
    report: () => undefined,
    staticHtml: null,
  });
  const url = new URL(path, 'https://shop.example');
  return loader({ request: new Request(url), url, context, params: {}, pattern: path });
}

test('the sitemap lists the absolute URLs of the public pages only', async () => {
  const response = ask(sitemap, '/sitemap.xml');
  expect(response.headers.get('content-type')).toContain('application/xml');
  const addresses = [...(await response.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  expect(addresses).toEqual([
    'https://shop.example/',
    'https://shop.example/blog',
    'https://shop.example/register',
    'https://shop.example/login',
  ]);
});

test('robots.txt allows only public pages and links to the sitemap', async () => {
  const lines = (await ask(robots, '/robots.txt').text()).split('\n');
  expect(lines).toEqual(expect.arrayContaining(['User-agent: *', 'Allow: /', 'Disallow: /dashboard']));
  expect(lines).toEqual(expect.arrayContaining(['Disallow: /api/', 'Disallow: /category/']));
  expect(lines).toContain('Sitemap: https://shop.example/sitemap.xml');
});
