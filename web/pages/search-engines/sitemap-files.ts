import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { LoaderFunctionArgs } from 'react-router';
import type { Client, Page } from '#contract/platform/client.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { serverContext } from '../../server-context.ts';

const compress = promisify(gzip);

/** Wraps XML elements in the root of a document of the sitemap protocol (sitemaps.org, version 0.9). */
export function sitemapXml(root: 'urlset' | 'sitemapindex', elements: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${elements.join('')}</${root}>\n`;
}

/** A response that search engines may keep for an hour. */
export function xmlResponse(body: BodyInit, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    headers: {
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      ...headers,
    },
  });
}

/** The maximum size of all kept files of a kind in bytes: about 25 files of 50,000 laptops, compressed. */
const MAXIMUM_KEPT_BYTES = 64 * 1024 * 1024;

/** A kind of pages of which a shop can have more than one sitemap. */
interface Kind<Item> {
  /** The numbers of its sitemaps. */
  list: (client: Client) => Promise<number[]>;
  /** Reads a page of a sitemap. */
  read: (client: Client, number: number, query: { cursor?: string }) => Promise<Page<Item[]>>;
  /** The path of an item's page, and the day of its last change where it is known. */
  toEntry: (item: Item) => { path: string; changed?: string };
}

/** Reads a sitemap in pages of the call, which other requests are answered between. */
async function createFile<Item>(
  { read, toEntry }: Kind<Item>,
  { client, origin }: { client: Client; origin: string },
  number: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const elements: string[] = [];
  let cursor: string | null = null;
  do {
    const { items, next }: Page<Item[]> = await read(client, number, cursor === null ? {} : { cursor });
    for (const item of items) {
      const { path, changed } = toEntry(item);
      const lastmod = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`;
      elements.push(`<url><loc>${origin}${path}</loc>${lastmod}</url>\n`);
    }
    cursor = next;
  } while (cursor !== null);
  return compress(sitemapXml('urlset', elements));
}

/**
 * Creates the loader of a kind's sitemaps, which the parameter `file` numbers. They are kept compressed with gzip: a file is made
 * once an hour at most, however often and by how many clients it is requested. The loader responds with 404 for a sitemap without
 * pages.
 */
export function createSitemapLoader<Item>(kind: Kind<Item>) {
  const files = new LRUCache<number, Uint8Array<ArrayBuffer>, { client: Client; origin: string }>({
    maxSize: MAXIMUM_KEPT_BYTES,
    sizeCalculation: (file) => file.byteLength,
    ttl: HOUR_MS,
    fetchMethod: (number, _stale, { context }) => createFile(kind, context, number),
  });
  return async ({ context, request }: LoaderFunctionArgs): Promise<Response> => {
    const { client, origin } = context.get(serverContext);
    const number = Number(new URL(request.url).searchParams.get('file'));
    const numbers = await kind.list(client);
    if (!numbers.includes(number)) return new Response('There is no such sitemap.\n', { status: 404 });
    const file = await files.forceFetch(number, { context: { client, origin } });
    const acceptsGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    return acceptsGzip
      ? xmlResponse(file, { 'content-encoding': 'gzip' })
      : xmlResponse(new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip')));
  };
}
