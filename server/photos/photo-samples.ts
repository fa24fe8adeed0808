import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import sharp, { type Sharp } from 'sharp';
import * as z from 'zod';
import { Refusal } from '#server/http/refusal.ts';
import { type PhotosOptions, photosPlugin } from './routes.ts';
import { openDiskStorage, type PhotoStorage } from './storage.ts';

/** The origin under which the tests' host says it lives; its paths are fetched where it really listens. */
export const ORIGIN = 'https://photos.shop.example';
export const KEY = 'a key of the tests';

/** A picture that is red on its left half and blue on its right, with a speck that makes its bytes unique. */
export function halves(width: number, height: number): Sharp {
  const right = { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#2030d0' };
  const [red, green, blue] = randomBytes(3);
  const speck = { width: 1, height: 1, channels: 3 as const, background: { r: red, g: green, b: blue } };
  return sharp({ create: { width, height, channels: 3, background: '#d03020' } })
    .composite([
      { input: { create: right }, left: Math.floor(width / 2), top: 0 },
      { input: { create: speck }, left: 0, top: 0 },
    ])
    .removeAlpha();
}

/** The colour of a decoded picture at a place given in fractions of its size, in sRGB. */
export async function colourAt(bytes: Buffer, x: number, y: number): Promise<[number, number, number]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const place = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [data.readUInt8(place), data.readUInt8(place + 1), data.readUInt8(place + 2)];
}

/** The header of a PNG that says how large it is and brings nothing more to decode than that. */
export async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const png = await halves(8, 8).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

const Uploaded = z.object({ success: z.literal(true), data: z.object({ url: z.string() }) });
const Problem = z.looseObject({
  success: z.literal(false),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
});

export interface RunningHost extends AsyncDisposable {
  readonly app: FastifyInstance;
  /** Where the host listens. */
  readonly base: string;
  readonly folder: string;
  readonly storage: PhotoStorage;
  upload(bytes: Uint8Array, name?: string, type?: string, seller?: string): Promise<Response>;
  /** Uploads what must be taken and answers the path of `data.url`. */
  take(bytes: Uint8Array): Promise<string>;
  /** Uploads what must be refused and answers the problem document. */
  refuse(bytes: Uint8Array): Promise<z.infer<typeof Problem>>;
  /** Fetches a variant of an answered path. */
  variant(path: string, width: number, format: 'avif' | 'webp'): Promise<Buffer>;
}

/** Reads the problem document of a refused call. */
export async function problemOf(response: Response): Promise<z.infer<typeof Problem>> {
  return Problem.parse(await response.json());
}

/** A form with one photo, as a browser sends it. */
export function formWith(
  bytes: Uint8Array,
  name = 'laptop.jpg',
  type = 'image/jpeg',
  field = 'image',
): FormData {
  const form = new FormData();
  form.append(field, new File([new Uint8Array(bytes)], name, { type }));
  return form;
}

/** Starts an image host on a free port and a new folder; `wrap` may stand between it and its storage. */
export async function startHost(
  options: Partial<PhotosOptions> = {},
  wrap: (storage: PhotoStorage) => PhotoStorage = (storage) => storage,
): Promise<RunningHost> {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  const storage = wrap(await openDiskStorage(folder));
  // A connection kept alive by the client is not worth waiting for at the end of a test.
  const app = Fastify({ bodyLimit: 1024 * 1024, forceCloseConnections: true });
  await app.register(photosPlugin, {
    origin: ORIGIN,
    key: KEY,
    storage,
    spoolFolder: `${folder}-uploads`,
    authorize: async ({ headers }) => {
      const seller = /^Bearer (seller.*)$/.exec(headers.authorization ?? '');
      if (seller?.[1] !== undefined) return { sellerId: seller[1] };
      throw new Refusal('not_signed_in', 'This needs you to be signed in as a seller.');
    },
    arriving: async () => undefined,
    ...options,
  });
  const base = await app.listen({ host: '127.0.0.1', port: 0 });

  const upload: RunningHost['upload'] = (bytes, name, type, seller = 'seller') =>
    fetch(`${base}/photos?key=${encodeURIComponent(KEY)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seller}` },
      body: formWith(bytes, name, type),
    });

  return {
    app,
    base,
    folder,
    storage,
    upload,
    async take(bytes) {
      const { data } = Uploaded.parse(await (await upload(bytes)).json());
      if (!data.url.startsWith(ORIGIN)) throw new Error(`Unexpected URL ${data.url}`);
      return data.url.slice(ORIGIN.length);
    },
    async refuse(bytes) {
      return problemOf(await upload(bytes));
    },
    async variant(path, width, format) {
      const response = await fetch(base + path.replace(/[^/]+$/, `${width}.${format}`));
      if (!response.ok) throw new Error(`${response.status} for ${width}.${format}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
      await rm(`${folder}-uploads`, { recursive: true, force: true });
    },
  };
}
