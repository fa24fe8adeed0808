import { listSitemaps, readSitemap } from '#contract/listings/sitemaps.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { createSitemapLoader } from './sitemap-files.ts';

/** The sitemaps of laptops for sale. */
export const loader = createSitemapLoader({
  list: (client) => client.call(listSitemaps, {}),
  read: (client, number, query) => client.page(readSitemap, { params: { number }, query }),
  toEntry: ({ changed, ...laptop }) => ({ path: laptopUrl(laptop), changed }),
});
