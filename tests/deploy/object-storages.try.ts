import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { PHOTO_FIELD } from '#contract/listings/photos.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { createClient } from '#contract/platform/client.ts';
import { halves } from '#server/listings/photos/testing/photo-samples.ts';
import { createObjectStorage } from '#server/providers/object-storage.ts';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startProgram } from '#tests/harness/platform/programs.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { missingPrograms, startRadosgw, type TriedStore } from './radosgw.ts';

// A shop whose photos are in the buckets of two servers that know nothing of each other.

const S3RVER = 's3rver@3.7.1';

/** Starts s3rver, which npm downloads at its first use. */
async function startS3rver(folder: string): Promise<TriedStore> {
  const port = await freePorts(1);
  const program = startProgram(
    'npm',
    [
      ...['exec', '--yes', `--package=${S3RVER}`, '--'],
      ...['s3rver', '-d', folder, '-a', '127.0.0.1', '-p', String(port), '-s'],
    ],
    // It encrypts the tokens of listings with DES.
    { NODE_OPTIONS: '--openssl-legacy-provider' },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => (await fetch(endpoint)).arrayBuffer(), { timeout: 120_000, interval: 200 });
  return {
    version: S3RVER,
    endpoint,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    freeze: program.freeze,
    thaw: program.thaw,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

const BUCKET = 'photos';
const region = 'us-east-1';
/** Longer than the bound of one call and one retry of the browser. */
const AWAY_MS = 30_000;
/** The bound of a call of the bucket, and what a busy machine adds. */
const BOUND_MS = 20_000;

const missing = missingPrograms();
if (missing.length > 0) console.warn(`radosgw is not tried: ${missing.join(', ')} is missing.`);

for (const [name, start, isMissing] of [
  ['radosgw', startRadosgw, missing.length > 0],
  ['s3rver', startS3rver, false],
] as const) {
  describe.skipIf(isMissing)(`photos in ${name}`, () => {
    let folder: string;
    let store: TriedStore;
    let proxy: TcpProxy;
    let database: TestDatabase;
    let shop: ServerProcess;
    let upload: () => Promise<Response>;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), `coomercio-${name}-`));
      await mkdir(join(folder, 'store'));
      store = await start(join(folder, 'store'));
      console.warn(`Trying ${store.version}.`);
      const client = new S3Client({
        region,
        endpoint: store.endpoint,
        credentials: store.credentials,
        forcePathStyle: true,
      });
      await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
      client.destroy();
      proxy = await startTcpProxy(store.endpoint);
      database = await createTestDatabase();
      const port = await freeShopPort();
      shop = await startServer({
        PORT: String(port),
        DATABASE_URL: database.url,
        COOMERCIO_DATA: join(folder, 'data'),
        DEMO: '0',
        S3_BUCKET: BUCKET,
        S3_ENDPOINT: proxy.url.replace(/\/$/, ''),
        S3_ACCESS_KEY_ID: store.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
      });
      upload = await prepareUploads(shop.origin);
    });
    afterAll(async () => {
      await shop?.stop();
      await proxy?.close();
      await database?.drop();
      await store?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    test('stores, reads, lists and removes objects, and names what is wrong', async () => {
      const options = { bucket: BUCKET, region, endpoint: store.endpoint, forcePathStyle: true };
      const storage = createObjectStorage({ ...options, credentials: store.credentials });
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256));
      expect([await storage.has('ab/1.webp'), await storage.get('ab/1.webp')]).toEqual([false, null]);
      await storage.put('ab/1.webp', bytes, 'image/webp');
      const found = await storage.get('ab/1.webp');
      expect(found && (await buffer(found.stream)).equals(bytes)).toBe(true);
      expect(await storage.has('ab/1.webp')).toBe(true);
      // More than one page of a listing.
      const keys = Array.from({ length: 1_005 }, (_, index) => `list/${index}.webp`);
      for (let at = 0; at < keys.length; at += 40) {
        await Promise.all(
          keys.slice(at, at + 40).map((key) => storage.put(key, Buffer.from('x'), 'image/webp')),
        );
      }
      const listed = await Readable.from(storage.keys()).toArray();
      expect(listed.sort()).toEqual(['ab/1.webp', ...keys].sort());
      for (let at = 0; at < listed.length; at += 40) {
        await Promise.all(listed.slice(at, at + 40).map((key) => storage.remove(key)));
      }
      await storage.remove('ab/1.webp');
      expect(await Readable.from(storage.keys()).toArray()).toEqual([]);
      storage.close();

      const lost = createObjectStorage({ ...options, bucket: 'nowhere', credentials: store.credentials });
      await expect(lost.put('ab/1.webp', bytes, 'image/webp')).rejects.toThrow('nowhere');
      lost.close();
    });

    test('carries an upload and its variants', async () => {
      const answer = await upload();
      expect(answer.status).toBe(200);
      const { data } = z.object({ data: z.object({ url: z.string() }) }).parse(await answer.json());
      for (const variant of ['320.avif', '320.webp', '320.webp']) {
        const photo = await fetch(data.url.replace(/\d+\.webp$/, variant));
        expect([photo.status, (await photo.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
      }
    });

    for (const [kind, leave, comeBack] of [
      ['refuses connections', () => proxy.disconnect(), () => proxy.reconnect()],
      ['does not answer', () => store.freeze(), () => store.thaw()],
    ] as const) {
      test(`a bucket that ${kind} for 30 s delays nothing beyond its bound, and comes back by itself`, async () => {
        const before = await upload();
        const { data } = z.object({ data: z.object({ url: z.string() }) }).parse(await before.json());
        expect((await fetch(data.url)).status).toBe(200);
        const leftAt = performance.now();
        leave();
        const longest: Record<string, number> = {};
        const measured = async (what: string, request: () => Promise<Response>) => {
          const started = performance.now();
          const answer = await request();
          await answer.arrayBuffer();
          longest[what] = Math.max(longest[what] ?? 0, performance.now() - started);
          return answer;
        };
        while (performance.now() - leftAt < AWAY_MS) {
          const [uploaded, photo, page] = await Promise.all([
            measured('upload', upload),
            measured('photo', () => fetch(data.url)),
            measured('page', () => fetch(`${shop.origin}/`)),
          ]);
          for (const answer of [uploaded, photo]) {
            expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
            expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
          }
          expect(page.status).toBe(200);
          await pause(500);
        }
        console.warn(
          `${name} ${kind}: ${JSON.stringify(longest, (_key, value) => (typeof value === 'number' ? Math.round(value) : value))} ms`,
        );
        for (const duration of Object.values(longest)) expect(duration).toBeLessThan(BOUND_MS);
        comeBack();
        await expect.poll(async () => (await upload()).status).toBe(200);
        expect((await fetch(data.url)).status).toBe(200);
      });
    }
  });
}

/** Registers a seller. @returns uploads another photo at each call */
async function prepareUploads(origin: string): Promise<() => Promise<Response>> {
  const [email, name] = ['bucket@people.example', 'Bucket Seller'];
  const signedUp = await fetch(`${origin}/identity/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name, password: 'Buckets#2018x' }),
  });
  const { idToken } = z.object({ idToken: z.string() }).parse(await signedUp.json());
  const proven = createClient({ base: `${origin}/api`, fetch, token: () => idToken });
  await proven.call(registerUser, { body: { email, name, role: 'Seller' } });
  const { coomercioToken: token } = await proven.call(exchangeToken, { query: { email } });
  const { photos } = await proven.call(readSettings, {});
  let width = 640;
  return async () => {
    width += 1;
    const body = new FormData();
    body.set(
      PHOTO_FIELD,
      new Blob([new Uint8Array(await halves(width, 480).jpeg().toBuffer())]),
      'photo.jpg',
    );
    return fetch(new URL(photos.uploadUrl, origin), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(60_000),
    });
  };
}
