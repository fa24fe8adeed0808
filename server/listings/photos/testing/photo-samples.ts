import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import sharp, { type Sharp } from 'sharp';
import * as z from 'zod';
import { Refusal } from '#server/platform/http/refusal.ts';
import { openDiskStorage, type PhotoStorage } from '../storage.ts';
import { type PhotosOptions, photosPlugin } from '../upload-and-serve-routes.ts';

/** The configured origin of the tests' image host, which differs from where it listens. */
export const ORIGIN = 'https://photos.shop.example';
export const KEY = 'a key of the tests';

/** Makes an image that is red on the left and blue on the right, with a speck of a random colour that makes its bytes unique. */
export function halves(width: number, height: number): Sharp {
  const right = { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#2030d0' };
  const [red, green, blue] = randomBytes(3);
  // As large as a block of JPEG's colours, so that no compression makes two specks equal.
  const size = Math.min(16, Math.ceil(width / 8), Math.ceil(height / 8));
  const speck = {
    width: size,
    height: size,
    channels: 3 as const,
    background: { r: red, g: green, b: blue },
  };
  return sharp({ create: { width, height, channels: 3, background: '#d03020' } })
    .composite([
      { input: { create: right }, left: Math.floor(width / 2), top: 0 },
      { input: { create: speck }, left: 0, top: 0 },
    ])
    .removeAlpha();
}

/** Reads the sRGB colour of an image at a position, given in fractions of its size. */
export async function colourAt(bytes: Buffer, x: number, y: number): Promise<[number, number, number]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [data.readUInt8(offset), data.readUInt8(offset + 1), data.readUInt8(offset + 2)];
}

/** Makes a PNG whose header states this size, without image data for it. */
export async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const png = await halves(8, 8).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
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
  /** The URL at which the host listens. */
  readonly base: string;
  readonly folder: string;
  readonly storage: PhotoStorage;
  upload(bytes: Uint8Array, name?: string, type?: string, seller?: string): Promise<Response>;
  /** Uploads a photo that must be accepted. @returns the path of `data.url` */
  uploadAccepted(bytes: Uint8Array): Promise<string>;
  /** Uploads a file that must be refused. @returns the problem document */
  uploadRefused(bytes: Uint8Array): Promise<z.infer<typeof Problem>>;
  /** Fetches a variant of a path that an upload returned. */
  fetchVariant(path: string, width: number, format: 'avif' | 'webp'): Promise<Buffer>;
}

/** Reads the problem document of a refused call. */
export async function problemOf(response: Response): Promise<z.infer<typeof Problem>> {
  return Problem.parse(await response.json());
}

/** Makes a form with one photo, as a browser sends it. */
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

/** Starts an image host on a free port and a new folder. @param wrap may wrap the storage */
export async function startHost(
  options: Partial<PhotosOptions> = {},
  wrap: (storage: PhotoStorage) => PhotoStorage = (storage) => storage,
): Promise<RunningHost> {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  const storage = wrap(await openDiskStorage(folder));
  // Closing does not wait for connections that the client keeps alive.
  const app = Fastify({ bodyLimit: 1024 * 1024, forceCloseConnections: true });
  await app.register(photosPlugin, {
    origin: ORIGIN,
    key: KEY,
    storage,
    spoolFolder: `${folder}-uploads`,
    authorize: async ({ headers }) => {
      const seller = /^Bearer (seller.*)$/.exec(headers.authorization ?? '');
      if (seller?.[1] !== undefined) return { uploaderId: seller[1], keepPrivate: null };
      throw new Refusal('not_signed_in', 'This needs you to be signed in as a seller.');
    },
    registerUpload: async () => undefined,
    recordDecoded: async () => undefined,
    links: { isValid: () => false },
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
    async uploadAccepted(bytes) {
      const { data } = Uploaded.parse(await (await upload(bytes)).json());
      if (!data.url.startsWith(ORIGIN)) throw new Error(`Unexpected URL ${data.url}`);
      return data.url.slice(ORIGIN.length);
    },
    async uploadRefused(bytes) {
      return problemOf(await upload(bytes));
    },
    async fetchVariant(path, width, format) {
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
