import { href, type LoaderFunctionArgs } from 'react-router';
import { serverContext } from '../../server-context.ts';

/** The public pages by their canonical paths. */
const publicPages = [href('/'), href('/blog'), href('/register'), href('/login')];

/** The sitemap for search engines (sitemaps.org, version 0.9). */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { origin } = context.get(serverContext);
  const addresses = publicPages.map((path) => `  <url><loc>${origin}${path}</loc></url>\n`).join('');
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses}</urlset>\n`,
    {
      headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    },
  );
}
