import { href, type LoaderFunctionArgs } from 'react-router';
import { listSellerSitemaps, listSitemaps } from '#contract/listings/sitemaps.ts';
import { serverContext } from '../../server-context.ts';
import { sitemapXml, xmlResponse } from './sitemap-files.ts';

/** The sitemap index: the sitemap of the public pages, and those of the laptops and of the sellers. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const { client, origin } = context.get(serverContext);
  const [laptops, sellers] = await Promise.all([
    client.call(listSitemaps, {}),
    client.call(listSellerSitemaps, {}),
  ]);
  const paths = [
    href('/sitemap-pages.xml'),
    ...laptops.map((number) => `${href('/sitemap-laptops.xml')}?file=${number}`),
    ...sellers.map((number) => `${href('/sitemap-sellers.xml')}?file=${number}`),
  ];
  return xmlResponse(
    sitemapXml(
      'sitemapindex',
      paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>\n`),
    ),
  );
}
