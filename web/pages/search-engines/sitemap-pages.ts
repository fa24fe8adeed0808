import { href, type LoaderFunctionArgs } from 'react-router';
import { serverContext } from '../../server-context.ts';
import { sitemapXml, xmlResponse } from './sitemap-files.ts';

/** The public pages by their canonical paths. */
const publicPages = [
  href('/'),
  href('/laptops'),
  href('/how-it-works'),
  href('/blog'),
  href('/register'),
  href('/login'),
];

/** The sitemap of the pages that every shop has. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { origin } = context.get(serverContext);
  return xmlResponse(
    sitemapXml(
      'urlset',
      publicPages.map((path) => `<url><loc>${origin}${path}</loc></url>\n`),
    ),
  );
}
