import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Dispatches a call in process.
 * @param address the IP address of the client for which the call is made, for limits
 */
export type InProcessFetch = (url: string, init: RequestInit, address: string) => Promise<Response>;

/** Creates a fetch function that dispatches calls in process, for server rendering. */
export function createInProcessFetch(app: FastifyInstance): InProcessFetch {
  return async (url, init, address) => {
    const response = await app.inject({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url,
      remoteAddress: address,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { payload: init.body }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined) headers.set(name, String(value));
    }
    return new Response(response.statusCode === 304 ? null : response.payload, {
      status: response.statusCode,
      statusText: STATUS_CODES[response.statusCode] ?? '',
      headers,
    });
  };
}
