import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BareBytesTask } from './messages.ts';

/** A response of the shop with its raw bytes, compressed or not. */
export type RecordedResponse = BareBytesTask['responses'][number];

/** Records a response. @throws Error unless its status is 200 */
export async function record(
  origin: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<RecordedResponse> {
  const [response]: IncomingMessage[] = await once(get(`${origin}${url}`, { headers }), 'response');
  if (response?.statusCode !== 200) throw new Error(`${url} was answered with ${response?.statusCode}.`);
  const body = await buffer(response);
  const kept = ['content-type', 'content-encoding'].flatMap((name) => {
    const value = response.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { url, headers: Object.fromEntries(kept), body };
}

/** The number of requests after which the shop keeps a response, compressed well. */
const REQUESTS_UNTIL_KEPT = 20;

/** Records a response as a browser gets it that asks for a popular page. */
export async function recordKept(
  origin: string,
  url: string,
  headers: Record<string, string>,
): Promise<RecordedResponse> {
  for (let request = 0; request < REQUESTS_UNTIL_KEPT; request += 1) await record(origin, url, headers);
  return record(origin, url, headers);
}
