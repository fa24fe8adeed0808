import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import * as z from 'zod';
import { PHOTO_FIELD, type PhotoFormat, type PhotoName, parsePhotoPath } from '#contract/photos.ts';
import type { Database } from '#server/database/tables.ts';
import { Refusal } from '#server/http/refusal.ts';
import { blur, decode, encode, encodeMaster, measure, Undecodable } from './codec.ts';
import type { Place, Queue } from './queue.ts';
import {
  largestSize,
  masterKey,
  mediaTypeOf,
  notAPhoto,
  type Objection,
  type PhotoKind,
  type PhotoLimits,
  photoKind,
  recordKey,
  scaledTo,
  sizeObjection,
  tooManyBytes,
  unreadable,
  variantKey,
} from './rules.ts';
import type { PhotoStorage, StoredBytes } from './storage.ts';
import * as store from './store.ts';

/** A variant on its way out. */
export interface ServedVariant extends StoredBytes {
  readonly contentType: string;
  /** Quoted, as the header wants it. */
  readonly etag: string;
}

export interface PhotoHost {
  /**
   * Keeps an uploaded photo and answers its name once it is safely stored. The same bytes again, also at the same
   * time, answer the same name without doing the work again.
   * @param place where the decoding waits for its turn
   * @throws Refusal
   */
  keep(bytes: Buffer, place: Place): Promise<PhotoName>;
  /**
   * Opens the variant at a path below `/photos/`, or null when there is none. The first who asks for a variant
   * waits until it is made.
   * @throws Refusal when too many variants are being made
   */
  open(path: string): Promise<ServedVariant | null>;
}

const Kept = z.object({ hash: z.string(), width: z.int(), height: z.int(), blur: z.string() });

function refuse({ code, detail }: Objection): Refusal {
  return new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
}

/** Whether a storage refused bytes because its disk, or the share of it that it may use, is full. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

const beingRemoved = () =>
  new Refusal('busy', 'This very photo is just being removed. Please try again in a few seconds.');

/** Notes that a photo is being uploaded, so that it waits for its laptop. @throws Refusal while it is being removed */
export async function noteArrival(database: Database, hash: string): Promise<void> {
  if (!(await store.arrive(database, hash))) throw beingRemoved();
}

/** What the image host works with. */
export interface PhotoHostParts {
  storage: PhotoStorage;
  limits: PhotoLimits;
  /** Where the making of variants waits for its turn. */
  making: Queue;
  /** Notes that these bytes are on their way, before anything of them is kept. @throws Refusal */
  arriving(hash: string): Promise<void>;
  /** Takes a failure that nobody who looks at a photo notices. */
  report(error: unknown): void;
}

/** Runs what is asked for at the same time under the same key once. */
function once<Answer>(): (key: string, make: () => Promise<Answer>) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (key, make) => {
    const same = underWay.get(key);
    if (same !== undefined) return same;
    const made = make().finally(() => underWay.delete(key));
    underWay.set(key, made);
    return made;
  };
}

/**
 * The image host's use cases on a storage.
 *
 * A photo's hash is that of the uploaded bytes, not of the decoded pixels: it is known before anything is decoded,
 * so a repeated upload costs one hash and one look-up, and it stays the same when a decoder's rounding changes.
 *
 * Variants are made when they are first asked for: an upload is answered ten times sooner, and most of what could be
 * made of a photo is never looked at.
 */
export function createPhotoHost({ storage, limits, making, arriving, report }: PhotoHostParts): PhotoHost {
  const keepOnce = once<PhotoName>();
  const makeOnce = once<Buffer | null>();

  async function recorded(hash: string): Promise<PhotoName | null> {
    const found = await storage.get(recordKey(hash));
    if (found === null) return null;
    const photo = Kept.parse(await json(found.stream));
    return (await storage.has(masterKey(photo))) ? photo : null;
  }

  async function storePhoto(bytes: Buffer, kind: PhotoKind, hash: string): Promise<PhotoName> {
    try {
      const uploaded = await measure(bytes);
      const objection = sizeObjection(uploaded, limits);
      if (objection !== null) throw refuse(objection);
      const largest = largestSize(uploaded);
      const master = await decode(bytes, largest, limits.pixels);
      const photo: PhotoName = { hash, ...largest, blur: await blur(master) };
      const [kept, record] = [masterKey(photo), recordKey(hash)];
      await storage.put(kept, await encodeMaster(master), mediaTypeOf(kept));
      await storage.put(record, Buffer.from(JSON.stringify(photo)), mediaTypeOf(record));
      return photo;
    } catch (error) {
      if (error instanceof Undecodable) throw refuse(unreadable(kind));
      if (isFull(error)) {
        throw new Refusal('busy', 'There is no room for more photos right now. Please try again later.');
      }
      throw error;
    }
  }

  async function make(photo: PhotoName, width: number, format: PhotoFormat): Promise<Buffer | null> {
    const kept = await storage.get(masterKey(photo));
    if (kept === null) return null;
    const master = await decode(await buffer(kept.stream), photo, limits.pixels);
    const variant = await encode(master, scaledTo(width, photo), format);
    // Whoever looks at it has it all the same; the next one makes it anew.
    const key = variantKey(photo, width, format);
    await storage.put(key, variant, mediaTypeOf(key)).catch(report);
    // A photo that was removed meanwhile must not leave this behind.
    if (!(await storage.has(masterKey(photo)))) await storage.remove(key).catch(report);
    return variant;
  }

  async function makeInTurn(photo: PhotoName, width: number, format: PhotoFormat): Promise<Buffer | null> {
    if (!(await storage.has(masterKey(photo)))) return null;
    const place = making.enter();
    if (place === null) {
      throw new Refusal(
        'busy',
        'Many photos are being prepared right now. Please try again in a few seconds.',
      );
    }
    try {
      return await place.run(() => make(photo, width, format));
    } finally {
      place.leave();
    }
  }

  return {
    async keep(bytes, place) {
      if (bytes.length > limits.bytes) throw refuse(tooManyBytes(limits));
      const kind = photoKind(bytes);
      if (kind === null) throw refuse(notAPhoto);
      const hash = createHash('sha256').update(bytes).digest('hex');
      await arriving(hash);
      for (let round = 0; round < 2; round += 1) {
        await keepOnce(
          hash,
          async () => (await recorded(hash)) ?? (await place.run(() => storePhoto(bytes, kind, hash))),
        );
        // What was let go of while it came may have been removed under our hands; from here on it is not.
        await arriving(hash);
        const kept = await recorded(hash);
        if (kept !== null) return kept;
      }
      throw beingRemoved();
    },

    async open(path) {
      const parsed = parsePhotoPath(path);
      if (parsed === null) return null;
      const { photo, variant } = parsed;
      const { width, format } = variant;
      const etag = `"${photo.hash}-${width}.${format}"`;
      const key = variantKey(photo, width, format);
      const head = { contentType: mediaTypeOf(key), etag };
      const found = await storage.get(key);
      if (found !== null) return { ...found, ...head };
      const made = await makeOnce(key, () => makeInTurn(photo, width, format));
      return made === null ? null : { stream: Readable.from(made), size: made.length, ...head };
    },
  };
}
