import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Client } from '#contract/client.ts';
import { readSitemap } from '#contract/sitemaps.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';

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

/** The maximum size of all kept files in bytes: about 25 files of 50,000 laptops, compressed. */
const MAXIMUM_KEPT_BYTES = 64 * 1024 * 1024;

const HOUR_MS = 60 * 60_000;

/** Reads a sitemap in pages of the call, which other requests are answered between. */
async function createFile(client: Client, origin: string, number: number): Promise<Uint8Array<ArrayBuffer>> {
  const elements: string[] = [];
  let cursor: string | null = null;
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const { items, next } = await client.page(readSitemap, { params: { number }, query });
    for (const laptop of items) {
      elements.push(
        `<url><loc>${origin}${laptopUrl(laptop)}</loc><lastmod>${laptop.changed}</lastmod></url>\n`,
      );
    }
    cursor = next;
  } while (cursor !== null);
  return compress(sitemapXml('urlset', elements));
}

/**
 * The sitemaps of laptops, compressed with gzip. A file is made once an hour at most, however often and by how many
 * clients it is requested.
 */
export function createSitemapFiles() {
  const files = new LRUCache<number, Uint8Array<ArrayBuffer>, { client: Client; origin: string }>({
    maxSize: MAXIMUM_KEPT_BYTES,
    sizeCalculation: (file) => file.byteLength,
    ttl: HOUR_MS,
    fetchMethod: (number, _stale, { context }) => createFile(context.client, context.origin, number),
  });
  return {
    /** @throws Problem when the laptops cannot be read */
    read: (client: Client, origin: string, number: number): Promise<Uint8Array<ArrayBuffer>> =>
      files.forceFetch(number, { context: { client, origin } }),
  };
}
