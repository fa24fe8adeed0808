import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createEmulator } from 'emulate';
import { freePorts } from '../platform/ports.ts';

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const region = 'eu-central-1';

/** A request to a bucket. */
export interface BucketCall {
  method: string;
  /** The object's key; empty for a listing. */
  key: string;
}

/**
 * The outcome of a call: forwarded; forwarded with a truncated response; acknowledged without effect; no response; or
 * refused with this status.
 */
export type CallOutcome = 'pass' | 'truncate' | 'discard' | 'hang' | number;

/** An S3-compatible object store over HTTP whose calls a test can observe and break. */
export interface ObjectStore extends AsyncDisposable {
  endpoint: string;
  /** Creates a bucket. @returns the options of `createObjectStorage` for it */
  bucket(name: string): Promise<{
    bucket: string;
    region: string;
    endpoint: string;
    credentials: typeof credentials;
    forcePathStyle: true;
  }>;
  /** Returns the environment variables that make a shop store its photos in a bucket. */
  environment(bucket: string): Record<string, string>;
  /** All calls so far. */
  calls: BucketCall[];
  /** Returns the highest number of concurrent calls with a method so far. */
  maxConcurrent(method: string): number;
  /** Returns the number of unfinished calls with a method. */
  inFlight(method: string): number;
  /** Decides the outcome of each call. */
  onCall: (call: BucketCall) => CallOutcome | Promise<CallOutcome>;
  /** The number of keys on a page of a listing. */
  pageSize: number;
}

/** Returns one page of a listing, ordered by the keys' bytes and with an opaque continuation token, as S3 does. */
function listingPage(all: string, parameters: URLSearchParams, pageSize: number): string {
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

const errorDocument = (status: number) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${codes[status]}</Code></Error>`;

/** Starts an object store behind a proxy that pages its listings and injects faults. */
export async function startObjectStore(): Promise<ObjectStore> {
  const emulator = await createEmulator({
    service: 'aws',
    port: await freePorts(1),
    seed: { aws: { region, s3: { buckets: [] } } },
  });
  const inFlight: Record<string, number> = {};
  const highest: Record<string, number> = {};

  const uploads = new Map<string, Buffer[]>();

  /** Does a call of a multipart upload. @returns null for other calls */
  async function multipart(url: URL, method: string, body: Buffer) {
    const id = url.searchParams.get('uploadId');
    const xml = (text: string) => ({ status: 200, body: Buffer.from(text), type: 'application/xml' });
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const next = `upload-${uploads.size + 1}`;
      uploads.set(next, []);
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${next}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (id === null) return null;
    if (method === 'PUT') uploads.get(id)?.splice(Number(url.searchParams.get('partNumber')) - 1, 1, body);
    if (method === 'DELETE') uploads.set(id, []);
    if (method === 'POST') {
      const target = new URL(url.pathname, emulator.url);
      const whole = new Uint8Array(Buffer.concat(uploads.get(id) ?? []));
      await fetch(target, { method: 'PUT', body: whole });
      return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
    }
    return xml('');
  }

  async function forward(
    request: IncomingMessage,
    url: URL,
  ): Promise<{ status: number; body: Buffer; type: string }> {
    const body = await buffer(request);
    const part = await multipart(url, request.method ?? 'GET', body);
    if (part !== null) return part;
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
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const all = Buffer.from(await answer.arrayBuffer());
    const content = first === undefined || !answer.ok ? all : all.subarray(Number(first), Number(last) + 1);
    const type = answer.headers.get('content-type') ?? 'application/octet-stream';
    if (!isListing || !answer.ok) return { status: answer.status, body: content, type };
    return {
      status: 200,
      body: Buffer.from(listingPage(content.toString(), url.searchParams, store.pageSize)),
      type,
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', emulator.url);
    const { method = 'GET' } = request;
    const call = { method, key: decodeURIComponent(url.pathname).split('/').slice(2).join('/') };
    store.calls.push(call);
    inFlight[method] = (inFlight[method] ?? 0) + 1;
    highest[method] = Math.max(highest[method] ?? 0, inFlight[method]);
    response.once('close', () => {
      inFlight[method] = (inFlight[method] ?? 1) - 1;
    });
    const outcome = await store.onCall(call);
    if (outcome === 'hang') return;
    if (outcome === 'discard') {
      response.writeHead(200, { etag: '"discarded"' }).end();
      return;
    }
    if (typeof outcome === 'number') {
      response.writeHead(outcome, { 'content-type': 'application/xml' }).end(errorDocument(outcome));
      return;
    }
    const { status, body, type } = await forward(request, url);
    response.writeHead(status, { 'content-type': type, 'content-length': body.length, etag: '"stored"' });
    if (outcome === 'pass') response.end(body);
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
    onCall: () => 'pass',
    pageSize: 1000,
    inFlight: (method) => inFlight[method] ?? 0,
    maxConcurrent: (method) => highest[method] ?? 0,
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
