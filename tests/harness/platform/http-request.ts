import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/**
 * Sends an HTTP request with any method, header and path; `fetch` refuses some of them.
 * @param options.fresh whether to use a new connection: the server closes a connection after an invalid request
 */
export function sendRequest(
  origin: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string; fresh?: boolean } = {},
): Promise<HttpResponse> {
  const { headers = {}, body, fresh = false } = options;
  const { hostname, port } = new URL(origin);
  const ofBody = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body ?? '') };
  return new Promise((resolve, reject) => {
    request({
      agent: fresh ? false : agent,
      hostname,
      port,
      method,
      path,
      headers: { ...(body !== undefined && ofBody), ...headers },
    })
      .on('response', (response) => {
        const { statusCode: status = 0 } = response;
        buffer(response).then((bytes) => resolve({ status, headers: response.headers, body: bytes }), reject);
      })
      .on('error', reject)
      .end(body);
  });
}
