import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PHOTO_FIELD, type PhotoFormat, type PhotoName, parsePhotoPath } from '#contract/photos.ts';
import type { Database } from '#server/database/tables.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Codec } from './codec-client.ts';
import { photoKind } from './headers.ts';
import {
  endedObjections,
  notAPhoto,
  type Objection,
  type PhotoLimits,
  PhotoRejected,
  tooManyBytes,
} from './objections.ts';
import { masterKey, mediaTypeOf, recordKey, scaledTo, variantKey } from './rules.ts';
import type { SpooledUpload } from './spool.ts';
import { readRecord } from './steps.ts';
import type { PhotoStorage, StoredBytes } from './storage.ts';
import * as store from './store.ts';
import { createTurns } from './turns.ts';
import { WorkerEnded } from './worker/process.ts';

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
   * @throws Refusal
   */
  keep(upload: SpooledUpload, sellerId: string): Promise<PhotoName>;
  /**
   * Opens the variant at a path below `/photos/`, or null when there is none. The first who asks for a variant
   * waits until it is made.
   * @throws Refusal when too many variants are being made
   */
  open(path: string): Promise<ServedVariant | null>;
}

/** Variants made at the same time. Each holds a picture in memory, so the others wait before they load theirs. */
const VARIANTS_AT_ONCE = 2;

/** The refusal of an upload. */
export function refuse({ code, detail }: Objection): Refusal {
  return new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
}

/** The refusal for what a storage throws when its disk, or the share of it that it may use, is full; else null. */
export function noRoom(error: unknown): Refusal | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new Refusal('busy', 'There is no room for more photos right now. Please try again later.')
    : null;
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
  codec: Codec;
  /** Variants being made or waiting for it, at most. */
  making: number;
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
export function createPhotoHost({
  storage,
  limits,
  codec,
  making,
  arriving,
  report,
}: PhotoHostParts): PhotoHost {
  const keepOnce = once<PhotoName>();
  const makeOnce = once<Uint8Array | null>();
  const makingTurns = createTurns(VARIANTS_AT_ONCE);
  let underWay = 0;

  async function recorded(hash: string): Promise<PhotoName | null> {
    const photo = await readRecord(storage, hash);
    return photo !== null && (await storage.has(masterKey(photo))) ? photo : null;
  }

  async function storePhoto({ path, hash }: SpooledUpload, sellerId: string): Promise<PhotoName> {
    try {
      const { master, width, height, blur } = await codec.ingest(path, limits, sellerId);
      const photo: PhotoName = { hash, width, height, blur };
      const [kept, record] = [masterKey(photo), recordKey(hash)];
      // The record first: by it the photo is removed again, also when the upload ends halfway.
      await storage.put(record, Buffer.from(JSON.stringify(photo)), mediaTypeOf(record));
      await storage.put(kept, master, mediaTypeOf(kept));
      return photo;
    } catch (error) {
      if (error instanceof PhotoRejected) throw refuse(error.objection);
      if (error instanceof WorkerEnded) {
        report(error);
        throw refuse(endedObjections[error.reason]);
      }
      throw noRoom(error) ?? error;
    }
  }

  async function make(photo: PhotoName, width: number, format: PhotoFormat): Promise<Uint8Array | null> {
    const kept = await storage.get(masterKey(photo));
    if (kept === null) return null;
    const variant = await codec.makeVariant(await buffer(kept.stream), scaledTo(width, photo), format);
    // It is answered all the same when it cannot be kept; the next request makes it again.
    const key = variantKey(photo, width, format);
    await storage.put(key, variant, mediaTypeOf(key)).catch(report);
    // A photo that was removed meanwhile must not leave this behind.
    if (!(await storage.has(masterKey(photo)))) await storage.remove(key).catch(report);
    return variant;
  }

  async function makeInTurn(
    photo: PhotoName,
    width: number,
    format: PhotoFormat,
  ): Promise<Uint8Array | null> {
    if (!(await storage.has(masterKey(photo)))) return null;
    const busy = () =>
      new Refusal('busy', 'Many photos are being prepared right now. Please try again in a few seconds.');
    if (underWay >= making) throw busy();
    underWay += 1;
    try {
      return await makingTurns.run(() => make(photo, width, format));
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      report(error);
      throw busy();
    } finally {
      underWay -= 1;
    }
  }

  return {
    async keep(upload, sellerId) {
      const { hash } = upload;
      if (upload.size > limits.bytes) throw refuse(tooManyBytes(limits));
      if (photoKind(upload.beginning) === null) throw refuse(notAPhoto);
      await arriving(hash);
      for (let round = 0; round < 2; round += 1) {
        await keepOnce(hash, async () => (await recorded(hash)) ?? (await storePhoto(upload, sellerId)));
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
