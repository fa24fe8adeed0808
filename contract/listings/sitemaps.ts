import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Paging } from '#contract/platform/scalars.ts';

/** The maximum number of URLs in a sitemap (sitemaps.org). */
export const MAXIMUM_SITEMAP_URLS = 50_000;

const SitemapNumber = z.coerce
  .number({ error: 'Unknown sitemap' })
  .check(
    z.int({ error: 'Unknown sitemap' }),
    z.minimum(1, { error: 'Unknown sitemap' }),
    z.maximum(1_000_000, { error: 'Unknown sitemap' }),
  );

export const listSitemaps = endpoint({
  method: 'GET',
  path: '/sitemaps',
  access: 'public',
  summary: 'The numbers of the sitemaps that have laptops',
  response: z.array(z.int()),
});

export const readSitemap = endpoint({
  method: 'GET',
  path: '/sitemaps/:number',
  access: 'public',
  summary: 'The laptops for sale of one sitemap, oldest first',
  params: z.object({ number: SitemapNumber }),
  query: z.pick(Paging, { cursor: true }),
  response: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      /** The day of its listing or of its last price change, such as 2026-11-22. */
      changed: z.string(),
    }),
  ),
});

export const listSellerSitemaps = endpoint({
  method: 'GET',
  path: '/sellerSitemaps',
  access: 'public',
  summary: 'The numbers of the sitemaps that have sellers',
  response: z.array(z.int()),
});

export const readSellerSitemap = endpoint({
  method: 'GET',
  path: '/sellerSitemaps/:number',
  access: 'public',
  summary: 'The sellers of one sitemap, oldest first: those with a laptop for sale or a shown review',
  params: z.object({ number: SitemapNumber }),
  query: z.pick(Paging, { cursor: true }),
  // Without a day of the last change: the shop does not store when a laptop left the page.
  response: z.array(z.object({ _id: Id })),
});
