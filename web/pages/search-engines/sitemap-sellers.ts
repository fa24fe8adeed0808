import { href } from 'react-router';
import { listSellerSitemaps, readSellerSitemap } from '#contract/listings/sitemaps.ts';
import { createSitemapLoader } from './sitemap-files.ts';

/** The sitemaps of sellers with a laptop for sale or a shown review. */
export const loader = createSitemapLoader({
  list: (client) => client.call(listSellerSitemaps, {}),
  read: (client, number, query) => client.page(readSellerSitemap, { params: { number }, query }),
  toEntry: ({ _id }) => ({ path: href('/seller/:id', { id: _id }) }),
});
