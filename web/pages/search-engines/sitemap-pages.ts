import { href, type LoaderFunctionArgs } from 'react-router';
import { listPages, listPosts } from '#contract/operations/content.ts';
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

/** The sitemap of the pages that every shop has, and of those that its admins have published. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const { client, origin } = context.get(serverContext);
  const [pages, posts] = await Promise.all([client.call(listPages, {}), client.call(listPosts, {})]);
  const paths = [
    ...publicPages,
    ...pages.map(({ slug }) => href('/pages/:slug', { slug })),
    ...posts.map(({ slug }) => href('/blog/:slug', { slug })),
  ];
  return xmlResponse(
    sitemapXml(
      'urlset',
      paths.map((path) => `<url><loc>${origin}${path}</loc></url>\n`),
    ),
  );
}
