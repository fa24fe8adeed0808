import { href, type LoaderFunctionArgs } from 'react-router';
import { serverContext } from '../../server-context.ts';

/** Paths that need a sign-in or are not pages. */
const closed = [href('/dashboard'), '/category/', '/api/', '/identity/', '/webhooks/'];

/** robots.txt (RFC 9309). */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { origin } = context.get(serverContext);
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}${href('/sitemap.xml')}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
