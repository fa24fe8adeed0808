import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Creates a fetch function that dispatches calls in process, for server rendering. */
export function createInProcessFetch(
  app: FastifyInstance,
): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await app.inject({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url,
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
