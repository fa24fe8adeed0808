import type { LoaderFunctionArgs } from 'react-router';
import { listSitemaps } from '#contract/sitemaps.ts';
import { serverContext } from '../../server-context.ts';
import { createSitemapFiles, xmlResponse } from './sitemap-files.ts';

const files = createSitemapFiles();

/** A sitemap of laptops for sale; the parameter `file` is its number. Responds with 404 for one without laptops. */
export async function loader({ context, request }: LoaderFunctionArgs): Promise<Response> {
  const { client, origin } = context.get(serverContext);
  const number = Number(new URL(request.url).searchParams.get('file'));
  const numbers = await client.call(listSitemaps, {});
  if (!numbers.includes(number)) return new Response('There is no such sitemap.\n', { status: 404 });
  const file = await files.read(client, origin, number);
  const acceptsGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  return acceptsGzip
    ? xmlResponse(file, { 'content-encoding': 'gzip' })
    : xmlResponse(new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip')));
}
