import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'pg';

// Minimal servers, to which the shop is compared. They run in the bench's own process, which only waits while load is generated.

/** A response of the shop with its raw bytes, compressed or not. */
interface RecordedResponse {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

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

/** Starts an HTTP server on a free port of the loopback interface. @returns its origin */
async function startServer(cleanup: AsyncDisposableStack, handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => server.closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Returns recorded responses: the baseline for responses from the shop's cache. @returns its origin */
export function startBareBytes(
  cleanup: AsyncDisposableStack,
  responses: readonly RecordedResponse[],
): Promise<string> {
  const recorded = new Map(responses.map((response) => [response.url, response]));
  return startServer(cleanup, (request, response) => {
    const { headers, body } = recorded.get(request.url ?? '') ?? {};
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
  });
}

/** The shop's number of database connections. */
const CONNECTIONS = 20;

/** The cursor of the first page: larger than any row number. */
const FIRST_CURSOR = '9223372036854775807';

// Builds the shop's response in the database. The bench's laptops have one photo each, the same facts are known of all, and none is measured.
const categoryPage = `
  select laptops.id as "_id", brand as "category_Id", laptops.name, location, $3 || images[1] as image,
    json_build_array($3 || images[1]) as images, description,
    json_build_object('memory', memory_gb, 'storage', storage_gb, 'screen', screen_inches, 'processor', processor,
      'graphics', graphics, 'system', system, 'battery', battery_percent) as facts,
    original_price_cents::float8 / 100 as original_price, resale_price_cents::float8 / 100 as resale_price, level,
    posted_time, users.name as sellers_name, seller_id, use_time, condition, delivery, state = 'sold' as paid,
    users.verified as "sellerVerified", advertised_at is not null as advertisement
  from laptops join users on users.id = seller_id
  where brand = $1 and state = 'available' and laptops.number < $2
  order by laptops.number desc limit 24`;

/** Runs one query per request: the baseline for uncached responses. @param photoOrigin in the URLs of photos @returns its origin */
export function startBareQuery(
  cleanup: AsyncDisposableStack,
  { connectionString, photoOrigin }: { connectionString: string; photoOrigin: string },
): Promise<string> {
  const pool = new Pool({ connectionString, max: CONNECTIONS });
  cleanup.defer(() => pool.end());
  return startServer(cleanup, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare');
    const values = [pathname.split('/').at(-1), searchParams.get('cursor') ?? FIRST_CURSOR, photoOrigin];
    pool.query({ name: 'category-page', text: categoryPage, values }).then(
      ({ rows }) => {
        const body = Buffer.from(JSON.stringify(rows));
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.length,
        });
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  });
}
