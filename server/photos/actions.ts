import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import {
  PHOTO_FIELD,
  type PhotoFormat,
  type PhotoName,
  parsePhotoPath,
  photoFormats,
} from '#contract/photos.ts';
import { Refusal } from '#server/http/refusal.ts';
import { blur, decode, encode, measure, Undecodable } from './codec.ts';
import type { Place } from './queue.ts';
import {
  notAPhoto,
  type Objection,
  type PhotoKind,
  type PhotoLimits,
  photoKind,
  recordKey,
  sizeObjection,
  tooManyBytes,
  unreadable,
  variantKey,
  variantSizes,
} from './rules.ts';
import type { PhotoStorage, StoredBytes } from './storage.ts';

/** A variant on its way out. */
export interface ServedVariant extends StoredBytes {
  readonly contentType: string;
  /** Quoted, as the header wants it. */
  readonly etag: string;
}

export interface PhotoHost {
  /**
   * Keeps an uploaded photo in all its variants and answers its name once they are safely stored. The same bytes
   * again, also at the same time, answer the same name without doing the work again.
   * @param place where the decoding waits for its turn
   * @throws Refusal
   */
  keep(bytes: Buffer, place: Place): Promise<PhotoName>;
  /** Opens the variant at a path below `/photos/`, or null when there is none. */
  open(path: string): Promise<ServedVariant | null>;
}

const contentTypes: Readonly<Record<PhotoFormat, string>> = { avif: 'image/avif', webp: 'image/webp' };

const Kept = z.object({ hash: z.string(), width: z.int(), height: z.int(), blur: z.string() });

function refuse({ code, detail }: Objection): Refusal {
  return new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
}

/** Whether a storage refused bytes because its disk, or the share of it that it may use, is full. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/**
 * The image host's use cases on a storage.
 *
 * A photo's hash is that of the uploaded bytes, not of the decoded pixels: it is known before anything is decoded,
 * so a repeated upload costs one hash and one look-up, and it stays the same when a decoder's rounding changes.
 */
export function createPhotoHost(storage: PhotoStorage, limits: PhotoLimits): PhotoHost {
  const underWay = new Map<string, Promise<PhotoName>>();

  async function recorded(hash: string): Promise<PhotoName | null> {
    const found = await storage.get(recordKey(hash));
    if (found === null) return null;
    return Kept.parse(await json(found.stream));
  }

  async function make(bytes: Buffer, kind: PhotoKind, hash: string): Promise<PhotoName> {
    try {
      const uploaded = await measure(bytes);
      const objection = sizeObjection(uploaded, limits);
      if (objection !== null) throw refuse(objection);
      const sizes = variantSizes(uploaded);
      const largest = sizes.at(-1) ?? sizes[0];
      const master = await decode(bytes, largest, limits.pixels);
      const photo: PhotoName = { hash, ...largest, blur: await blur(master) };
      for (const size of sizes) {
        for (const format of photoFormats) {
          const variant = await encode(master, size, format);
          await storage.put(variantKey(photo, size.width, format), variant, contentTypes[format]);
        }
      }
      await storage.put(recordKey(hash), Buffer.from(JSON.stringify(photo)), 'application/json');
      return photo;
    } catch (error) {
      if (error instanceof Undecodable) throw refuse(unreadable(kind));
      if (isFull(error)) {
        throw new Refusal('busy', 'There is no room for more photos right now. Please try again later.');
      }
      throw error;
    }
  }

  return {
    async keep(bytes, place) {
      if (bytes.length > limits.bytes) throw refuse(tooManyBytes(limits));
      const kind = photoKind(bytes);
      if (kind === null) throw refuse(notAPhoto);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const same = underWay.get(hash);
      if (same !== undefined) return await same;
      const kept = (async () => (await recorded(hash)) ?? (await place.run(() => make(bytes, kind, hash))))();
      underWay.set(hash, kept);
      try {
        return await kept;
      } finally {
        underWay.delete(hash);
      }
    },

    async open(path) {
      const parsed = parsePhotoPath(path);
      if (parsed === null) return null;
      const { photo, variant } = parsed;
      const found = await storage.get(variantKey(photo, variant.width, variant.format));
      if (found === null) return null;
      const etag = `"${photo.hash}-${variant.width}.${variant.format}"`;
      return { ...found, contentType: contentTypes[variant.format], etag };
    },
  };
}
