import type { LoaderFunctionArgs } from 'react-router';
import { linkTo } from '../../links.ts';
import { serverContext } from '../../server-context.ts';

/** What a crawler would only be sent away from: pages behind the login, and the calls that serve them. */
const closed = [linkTo('dashboard'), '/category/', '/api/', '/identity/', '/webhooks/'];

/** Which pages crawlers may read, and where the sitemap is. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { origin } = context.get(serverContext);
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}${linkTo('sitemap')}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
