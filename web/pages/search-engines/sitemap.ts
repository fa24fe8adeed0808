import { href, type LoaderFunctionArgs } from 'react-router';
import { listSitemaps } from '#contract/sitemaps.ts';
import { serverContext } from '../../server-context.ts';
import { sitemapXml, xmlResponse } from './sitemap-files.ts';

/** The sitemap index: the sitemap of the public pages and those of the laptops. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const { client, origin } = context.get(serverContext);
  const numbers = await client.call(listSitemaps, {});
  const paths = [
    href('/sitemap-pages.xml'),
    ...numbers.map((number) => `${href('/sitemap-laptops.xml')}?file=${number}`),
  ];
  return xmlResponse(
    sitemapXml(
      'sitemapindex',
      paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>\n`),
    ),
  );
}
