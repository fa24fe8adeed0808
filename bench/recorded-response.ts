import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BareBytesOrder } from './messages.ts';

/** An answer of the shop as it went over the wire. */
export interface Recording {
  answer: BareBytesOrder['answers'][number];
  etag: string;
  /** The path and query of the next page, or null. */
  next: string | null;
}

/** Makes a call and keeps its bytes as they come, compressed or not. @throws unless it is answered with 200 */
export async function record(
  origin: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<Recording> {
  const [response]: IncomingMessage[] = await once(get(`${origin}${url}`, { headers }), 'response');
  if (response?.statusCode !== 200) throw new Error(`${url} was answered with ${response?.statusCode}.`);
  const body = await buffer(response);
  const kept = ['content-type', 'content-encoding'].flatMap((name) => {
    const value = response.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    answer: { url, headers: Object.fromEntries(kept), body },
    etag: response.headers.etag ?? '',
    next: /<([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1] ?? null,
  };
}

/** Follows the Link headers from a page for so many pages. @returns the path and query where that ends */
export async function followNextLinks(origin: string, from: string, pages: number): Promise<string> {
  let url = from;
  for (let page = 0; page < pages; page += 1) {
    const { next } = await record(origin, url);
    if (next === null) throw new Error(`${from} has only ${page + 1} pages.`);
    url = next;
  }
  return url;
}
