import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BareBytesTask } from './messages.ts';

/** A recorded response of the shop. */
export interface Recording {
  response: BareBytesTask['responses'][number];
  etag: string;
  /** The path and query of the next page, or null. */
  next: string | null;
}

/** Records a response with its raw bytes, compressed or not. @throws Error unless its status is 200 */
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
    response: { url, headers: Object.fromEntries(kept), body },
    etag: response.headers.etag ?? '',
    next: /<([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1] ?? null,
  };
}

/** Follows the `next` links for a number of pages. @returns the path and query of the last one */
export async function followNextLinks(origin: string, from: string, pages: number): Promise<string> {
  let url = from;
  for (let page = 0; page < pages; page += 1) {
    const { next } = await record(origin, url);
    if (next === null) throw new Error(`${from} has only ${page + 1} pages.`);
    url = next;
  }
  return url;
}

/** The number of requests after which the shop keeps a response, compressed well. */
const REQUESTS_UNTIL_KEPT = 20;

/** Records a response as a browser gets it that asks for a popular page. @param recordedAs the path of the recording */
export async function recordKept(
  origin: string,
  url: string,
  headers: Record<string, string>,
  recordedAs = url,
): Promise<Recording> {
  for (let request = 0; request < REQUESTS_UNTIL_KEPT; request += 1) await record(origin, url, headers);
  const recording = await record(origin, url, headers);
  return { ...recording, response: { ...recording.response, url: recordedAs } };
}
