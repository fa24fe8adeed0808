import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { halves, type RunningHost, startHost } from './testing/photo-samples.ts';
import type { PhotosOptions } from './upload-and-serve-routes.ts';

const VARIANT = /\/\d+\.(avif|webp)$/;

const VISITOR = '127.0.0.1';
const ATTACKER = '127.0.0.2';

interface Shown {
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Requests a path from an address. `close` closes the connection before the response. */
function get(host: RunningHost, path: string, { from = VISITOR, headers = {} } = {}) {
  const request = httpRequest(host.base + path, { localAddress: from, agent: false, headers }).end();
  const response = once(request, 'response').then(async ([message]: IncomingMessage[]): Promise<Shown> => {
    if (message === undefined) throw new Error('No response');
    return { headers: message.headers, bytes: await buffer(message) };
  });
  const close = async () => {
    request.destroy(new Error('closed by the test'));
    await expect(response).rejects.toThrow('closed by the test');
  };
  return { response, close };
}

const newPhoto = (width = 640) =>
  halves(width, (width * 3) / 4)
    .jpeg()
    .toBuffer();
/** The path of another file of a photo. */
const fileOf = (path: string, file: string) => path.replace(/[^/]+$/, file);
const masterOf = (path: string) => fileOf(path, 'master.webp').replace('/photos/', '');

/** Starts a host with a gate: while it is closed, variants are made and not stored. */
async function startGatedHost(options: Partial<PhotosOptions>) {
  let gate: PromiseWithResolvers<void> | null = null;
  let isFull = false;
  const [waiting, opened, found, stored]: [string[], string[], string[], string[]] = [[], [], [], []];
  const host = await startHost(options, (storage) => ({
    ...storage,
    get: (key) => {
      opened.push(key);
      return storage.get(key);
    },
    has: async (key) => {
      const isStored = await storage.has(key);
      if (isStored) found.push(key);
      return isStored;
    },
    put: async (key, bytes, type) => {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      if (VARIANT.test(key) && gate !== null) {
        waiting.push(key);
        await gate.promise;
      }
      if (VARIANT.test(key)) stored.push(key);
      await storage.put(key, bytes, type);
    },
  }));
  return {
    host,
    /** Closes the gate and requests as many variants as are made at the same time, two. */
    async occupy(path: string) {
      gate = Promise.withResolvers();
      waiting.length = 0;
      const requests = ['320.webp', '320.avif'].map((file) =>
        get(host, fileOf(path, file), { from: ATTACKER }),
      );
      await expect.poll(() => waiting).toHaveLength(2);
      // Uploads have looked at the master images as well.
      found.length = 0;
      return requests;
    },
    openGate() {
      gate?.resolve();
      gate = null;
    },
    /** Keys of the files that were read. Making a variant begins with the master image. */
    opened,
    /** The variants of a photo that were stored. */
    storedOf: (path: string) =>
      stored.filter((key) => key.startsWith(fileOf(path, '').replace('/photos/', ''))),
    /** Sets whether nothing can be stored. */
    setFull(full: boolean) {
      isFull = full;
    },
    /** Resolves when requests of these photos wait for their turn; each begins with a look at the master image. */
    async waitForRequests(...paths: string[]) {
      for (const path of paths) await expect.poll(() => found).toContain(masterOf(path));
    },
  };
}
type GatedHost = Awaited<ReturnType<typeof startGatedHost>>;

/** In one host requests wait for their turn, in the other for a millisecond. Each host starts processes. */
let patient: GatedHost;
let hasty: GatedHost;
beforeAll(async () => {
  patient = await startGatedHost({ variantRoom: { maximumWaitMs: 3_600_000 } });
  hasty = await startGatedHost({
    variantRoom: { maximumWaitMs: 1 },
    links: { isValid: () => true },
    authorize: async ({ headers }) => ({
      uploaderId: 'seller',
      keepPrivate: headers.authorization === 'Bearer seller' ? null : async () => undefined,
    }),
  });
});
afterAll(async () => {
  for (const { host } of [patient, hasty]) await host[Symbol.asyncDispose]();
});

test('makes a variant on its first request, once for concurrent requests, and stores it', async () => {
  const { host, storedOf } = patient;
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  expect(storedOf(path)).toEqual([]);
  const shown = await Promise.all(Array.from({ length: 6 }, () => host.fetchVariant(path, 320, 'avif')));
  expect(new Set(shown.map((bytes) => bytes.toString('base64'))).size).toBe(1);
  expect(await sharp(shown[0]).metadata()).toMatchObject({ width: 320, height: 229 });
  await host.fetchVariant(path, 320, 'avif');
  expect(storedOf(path)).toHaveLength(1);
});

test('does not serve the master image, and makes no variant without it', async () => {
  const { host } = patient;
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  const folder = path.slice(0, path.lastIndexOf('/'));
  expect((await fetch(`${host.base}${folder}/master.webp`)).status).toBe(404);
  const kept = await host.fetchVariant(path, 640, 'webp');
  await host.storage.remove(`${folder.replace('/photos/', '')}/master.webp`);
  expect(await host.fetchVariant(path, 640, 'webp')).toEqual(kept);
  await expect(host.fetchVariant(path, 320, 'webp')).rejects.toThrow('404');
});

test('serves a variant that cannot be stored, and stores it on a later request', async () => {
  const { host, setFull } = patient;
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  const key = path.replace('/photos/', '').replace('640.webp', '320.webp');
  setFull(true);
  expect(await sharp(await host.fetchVariant(path, 320, 'webp')).metadata()).toMatchObject({ width: 320 });
  expect(await host.storage.has(key)).toBe(false);
  setFull(false);
  await host.fetchVariant(path, 320, 'webp');
  expect(await host.storage.has(key)).toBe(true);
});

test('requests of one address for all sizes of many photos do not delay a photo for another address', {
  tags: 'long',
}, async () => {
  const { host, opened } = patient;
  const photos: string[] = [];
  for (let count = 0; count < 28; count += 1) photos.push(await host.uploadAccepted(await newPhoto()));
  const [own = '', first = '', ...others] = photos;
  const attack = [
    ...(await patient.occupy(first)),
    ...others.flatMap((path) =>
      ['320.avif', '320.webp', '640.avif', '640.webp'].map((file) =>
        get(host, fileOf(path, file), { from: ATTACKER }),
      ),
    ),
  ];
  let answered = 0;
  for (const { response } of attack) void response.then(() => (answered += 1));
  // Two are made and 64 wait. The others are answered at once, with the master image.
  await expect.poll(() => answered).toBeGreaterThanOrEqual(attack.length - 66);

  const readBefore = opened.length;
  const { response } = get(host, fileOf(own, '320.avif'));
  await patient.waitForRequests(own);
  patient.openGate();
  expect(await sharp((await response).bytes).metadata()).toMatchObject({ format: 'heif', width: 320 });
  const made = opened.slice(readBefore).filter((key) => key.endsWith('/master.webp'));
  expect(made.indexOf(masterOf(own))).toBeLessThan(2);
  await Promise.all(attack.map((each) => each.response));
});

test('does not make a variant after all who requested it have left', async () => {
  const { host, opened } = patient;
  let closed = 0;
  host.app.server.on('request', (_message, response) => {
    response.once('close', () => (closed += Number(!response.writableFinished)));
  });
  const [occupying, left, awaited, last] = [
    await host.uploadAccepted(await newPhoto()),
    await host.uploadAccepted(await newPhoto()),
    await host.uploadAccepted(await newPhoto()),
    await host.uploadAccepted(await newPhoto()),
  ];
  const running = await patient.occupy(occupying);
  const leaving = [left, awaited].map((path) => get(host, path, { from: ATTACKER }));
  const staying = [awaited, last].map((path) => get(host, path));
  await patient.waitForRequests(left, awaited, last);
  for (const { close } of leaving) await close();
  await expect.poll(() => closed).toBe(2);

  patient.openGate();
  for (const { response } of staying) {
    expect(await sharp((await response).bytes).metadata()).toMatchObject({ width: 640 });
  }
  await Promise.all(running.map(({ response }) => response));
  expect(opened).toContain(masterOf(awaited));
  expect(opened).not.toContain(masterOf(left));
});

test('serves the nearest size there is while a requested one has to wait, without pinning it in caches', async () => {
  const { host } = hasty;
  const path = await host.uploadAccepted(await newPhoto(1280));
  for (const file of ['320.webp', '960.webp']) await get(host, fileOf(path, file)).response;
  const running = await hasty.occupy(await host.uploadAccepted(await newPhoto()));

  const { headers, bytes } = await get(host, path).response;
  expect(headers).toMatchObject({ 'cache-control': 'public, no-cache', 'content-type': 'image/webp' });
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 960 });
  const again = get(host, path, { headers: { 'if-none-match': headers.etag } });
  expect((await again.response).bytes).toHaveLength(0);
  // Of the other format there is none: then the image from which all are made.
  const other = await get(host, fileOf(path, '320.avif')).response;
  expect(other.headers).toMatchObject({ 'cache-control': 'public, no-cache', 'content-type': 'image/webp' });
  expect(await sharp(other.bytes).metadata()).toMatchObject({ format: 'webp', width: 1280 });

  hasty.openGate();
  await Promise.all(running.map(({ response }) => response));
  const made = await get(host, path, { headers: { 'if-none-match': headers.etag } }).response;
  expect(made.headers['cache-control']).toContain('immutable');
  expect(await sharp(made.bytes).metadata()).toMatchObject({ width: 1280 });
});

test('a substitute of a private photo stays out of shared caches', async () => {
  const { host } = hasty;
  const answer = await host.upload(await newPhoto(), 'a.jpg', 'image/jpeg', 'seller-in-private');
  const { data } = PhotoUploaded.parse(await answer.json());
  const running = await hasty.occupy(await host.uploadAccepted(await newPhoto()));
  const { headers } = await get(host, `${new URL(data.url).pathname}?until=1&signature=x`).response;
  expect(headers).toMatchObject({
    'cache-control': 'private, no-cache',
    'cross-origin-resource-policy': 'same-origin',
  });
  hasty.openGate();
  await Promise.all(running.map(({ response }) => response));
});
