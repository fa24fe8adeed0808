import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createEmulator } from 'emulate';
import { freePorts } from './ports.ts';

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const region = 'eu-central-1';

/** A call on its way to a bucket. */
export interface BucketCall {
  method: string;
  /** Empty for a listing. */
  key: string;
}

/**
 * What becomes of a call: it gets through, its answer breaks off halfway, it is acknowledged and comes to nothing,
 * nothing answers, or this status does.
 */
export type Fate = 'through' | 'broken' | 'forgotten' | 'silence' | number;

/** An object store of a test's own, over HTTP. */
export interface ObjectStore extends AsyncDisposable {
  endpoint: string;
  /** What `createObjectStorage` takes to reach a bucket, which is there from now on. */
  bucket(name: string): Promise<{
    bucket: string;
    region: string;
    endpoint: string;
    credentials: typeof credentials;
    forcePathStyle: true;
  }>;
  /** The variables that tell a shop to keep its photos in a bucket. */
  environment(bucket: string): Record<string, string>;
  /** All calls so far. */
  calls: BucketCall[];
  /** The most calls with this method that were under way at once. */
  atOnce(method: string): number;
  /** How many calls with this method are under way. */
  underWay(method: string): number;
  /** Decides on each call. */
  between: (call: BucketCall) => Fate | Promise<Fate>;
  /** How many keys a page of a listing holds. */
  pageSize: number;
}

/** A page of a listing in the order of the keys' bytes, as S3 has it; where it goes on, only the store can read. */
function listing(all: string, parameters: URLSearchParams, pageSize: number): string {
  const entries = [...all.matchAll(/<Contents>\s*<Key>(.*?)<\/Key>[\s\S]*?<\/Contents>/g)]
    .map(([text, key = '']) => ({ text, key }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const token = parameters.get('continuation-token');
  const after = token === null ? '' : Buffer.from(token, 'base64url').toString();
  const rest = entries.filter(({ key }) => key > after);
  const page = rest.slice(0, pageSize);
  const next =
    page.length < rest.length ? Buffer.from(page.at(-1)?.key ?? '').toString('base64url') : undefined;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>${
    next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
  }${page.map(({ text }) => text).join('')}</ListBucketResult>`;
}

const codes: Readonly<Record<number, string>> = {
  403: 'AccessDenied',
  404: 'NoSuchKey',
  500: 'InternalError',
};

const refusal = (status: number) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${codes[status]}</Code></Error>`;

/** Starts an object store, with something between it and its callers that pages its listings and can make trouble. */
export async function startObjectStore(): Promise<ObjectStore> {
  const emulator = await createEmulator({
    service: 'aws',
    port: await freePorts(1),
    seed: { aws: { region, s3: { buckets: [] } } },
  });
  const underWay: Record<string, number> = {};
  const most: Record<string, number> = {};

  async function pass(
    request: IncomingMessage,
    url: URL,
  ): Promise<{ status: number; body: Buffer; type: string }> {
    const body = await buffer(request);
    const isListing = url.searchParams.has('list-type');
    const target = new URL(
      isListing
        ? `${url.pathname}?list-type=2&prefix=${encodeURIComponent(url.searchParams.get('prefix') ?? '')}`
        : url.pathname,
      emulator.url,
    );
    const answer = await fetch(target, {
      method: request.method ?? 'GET',
      headers: { 'content-type': request.headers['content-type'] ?? 'application/octet-stream' },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? 'application/octet-stream';
    if (!isListing || !answer.ok) return { status: answer.status, body: content, type };
    return {
      status: 200,
      body: Buffer.from(listing(content.toString(), url.searchParams, store.pageSize)),
      type,
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', emulator.url);
    const { method = 'GET' } = request;
    const call = { method, key: decodeURIComponent(url.pathname).split('/').slice(2).join('/') };
    store.calls.push(call);
    underWay[method] = (underWay[method] ?? 0) + 1;
    most[method] = Math.max(most[method] ?? 0, underWay[method]);
    response.once('close', () => {
      underWay[method] = (underWay[method] ?? 1) - 1;
    });
    const fate = await store.between(call);
    if (fate === 'silence') return;
    if (fate === 'forgotten') {
      response.writeHead(200).end();
      return;
    }
    if (typeof fate === 'number') {
      response.writeHead(fate, { 'content-type': 'application/xml' }).end(refusal(fate));
      return;
    }
    const { status, body, type } = await pass(request, url);
    response.writeHead(status, { 'content-type': type, 'content-length': body.length });
    if (fate === 'through') response.end(body);
    else response.write(body.subarray(0, body.length / 2), () => response.destroy());
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error));
  });
  const port = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${port}`;

  const store: ObjectStore = {
    endpoint,
    calls: [],
    between: () => 'through',
    pageSize: 1000,
    underWay: (method) => underWay[method] ?? 0,
    atOnce: (method) => most[method] ?? 0,
    bucket: async (name) => {
      await fetch(`${emulator.url}/${name}`, { method: 'PUT' });
      return { bucket: name, region, endpoint, credentials, forcePathStyle: true };
    },
    environment: (bucket) => ({
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await emulator.close();
    },
  };
  return store;
}
