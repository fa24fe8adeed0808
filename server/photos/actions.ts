import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PHOTO_FIELD, type PhotoFormat, type PhotoName, parsePhotoPath } from '#contract/photos.ts';
import type { Database } from '#server/database/tables.ts';
import { Refusal } from '#server/http/refusal.ts';
import { createPrivateHash } from '../photo-links.ts';
import type { Codec } from './codec-client.ts';
import { detectPhotoKind } from './image-headers.ts';
import {
  notAPhoto,
  type PhotoLimits,
  PhotoRejected,
  type Rejection,
  rejectionsByEndReason,
  tooManyBytes,
} from './rejections.ts';
import { masterKey, mediaTypeOf, recordKey, sizeAtWidth, variantKey } from './rules.ts';
import { createSemaphore } from './semaphore.ts';
import type { SpooledUpload } from './spool.ts';
import { readRecord } from './steps.ts';
import type { PhotoStorage, StoredBytes } from './storage.ts';
import * as store from './store.ts';
import { WorkerEnded } from './worker/process.ts';

/** A variant with the headers of its response. */
export interface ServedVariant extends StoredBytes {
  readonly contentType: string;
  /** Including the quotes. */
  readonly etag: string;
}

/** How many variants are made at the same time. A waiting one loads nothing into memory. */
const CONCURRENT_VARIANTS = 2;

/** Makes the refusal of an upload. */
export function toRefusal({ code, detail }: Rejection): Refusal {
  return new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
}

/** Makes the refusal for a full disk or an exceeded disk quota; null for any other error. */
export function storageFullRefusal(error: unknown): Refusal | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new Refusal('busy', 'There is no room for more photos right now. Please try again later.')
    : null;
}

const photoBeingDeleted = () =>
  new Refusal('busy', 'This photo is being removed right now. Please try again in a few seconds.');

/**
 * Records that a photo is being uploaded, which protects it from deletion until a laptop shows it.
 * @throws Refusal while the same photo is being deleted
 */
export async function registerUpload(database: Database, hash: string): Promise<void> {
  if (!(await store.registerUpload(database, hash))) throw photoBeingDeleted();
}

export interface PhotoHostDependencies {
  storage: PhotoStorage;
  limits: PhotoLimits;
  codec: Codec;
  /** The maximum number of variants in progress or queued. */
  maximumVariantJobs: number;
  /** Called before an upload is stored, and again afterwards. @throws Refusal */
  registerUpload(hash: string): Promise<void>;
  /** Called with an error that does not fail the request. */
  reportError(error: unknown): void;
}

/** Returns a function that shares one call of `work` between all calls with the same key that overlap in time. */
function createSingleFlight<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const pending = new Map<string, Promise<Result>>();
  return (key, work) => {
    const existing = pending.get(key);
    if (existing !== undefined) return existing;
    const result = work().finally(() => pending.delete(key));
    pending.set(key, result);
    return result;
  };
}

/**
 * Creates the image host on a storage.
 *
 * A photo's hash is that of the uploaded bytes, not of the decoded pixels: it is known before anything is decoded, so a
 * repeated upload costs one hash and one look-up, and it does not change when a decoder's rounding changes.
 *
 * Variants are made on their first request: this makes an upload ten times faster, and most variants are never
 * requested.
 */
export function createPhotoHost({
  storage,
  limits,
  codec,
  maximumVariantJobs,
  registerUpload,
  reportError,
}: PhotoHostDependencies) {
  const storeOnce = createSingleFlight<PhotoName>();
  const makeVariantOnce = createSingleFlight<Uint8Array | null>();
  const variantSemaphore = createSemaphore(CONCURRENT_VARIANTS);

  async function findStoredPhoto(hash: string): Promise<PhotoName | null> {
    const photo = await readRecord(storage, hash);
    return photo !== null && (await storage.has(masterKey(photo))) ? photo : null;
  }

  async function decodeAndStore(
    { path, hash }: Pick<SpooledUpload, 'path' | 'hash'>,
    uploaderId: string,
  ): Promise<PhotoName> {
    try {
      const { master, width, height, blur } = await codec.ingest(path, limits, uploaderId);
      const photo: PhotoName = { hash, width, height, blur };
      const [photoKey, record] = [masterKey(photo), recordKey(hash)];
      // The record first: deleting a photo follows it, even if the upload is interrupted here.
      await storage.put(record, Buffer.from(JSON.stringify(photo)), mediaTypeOf(record));
      await storage.put(photoKey, master, mediaTypeOf(photoKey));
      return photo;
    } catch (error) {
      if (error instanceof PhotoRejected) throw toRefusal(error.rejection);
      if (error instanceof WorkerEnded) {
        reportError(error);
        throw toRefusal(rejectionsByEndReason[error.reason]);
      }
      throw storageFullRefusal(error) ?? error;
    }
  }

  async function makeAndStoreVariant(
    photo: PhotoName,
    width: number,
    format: PhotoFormat,
  ): Promise<Uint8Array | null> {
    const master = await storage.get(masterKey(photo));
    if (master === null) return null;
    const variant = await codec.makeVariant(await buffer(master.stream), sizeAtWidth(width, photo), format);
    // A variant that cannot be stored is still served; the next request makes it again.
    const key = variantKey(photo, width, format);
    await storage.put(key, variant, mediaTypeOf(key)).catch(reportError);
    // If the photo was deleted concurrently, its deletion did not see this variant.
    if (!(await storage.has(masterKey(photo)))) await storage.remove(key).catch(reportError);
    return variant;
  }

  async function queueVariant(
    photo: PhotoName,
    width: number,
    format: PhotoFormat,
  ): Promise<Uint8Array | null> {
    if (!(await storage.has(masterKey(photo)))) return null;
    const busy = () =>
      new Refusal('busy', 'Many photos are being prepared right now. Please try again in a few seconds.');
    if (variantSemaphore.size >= maximumVariantJobs) throw busy();
    try {
      return await variantSemaphore.run(() => makeAndStoreVariant(photo, width, format));
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      reportError(error);
      throw busy();
    }
  }

  return {
    /**
     * Stores an uploaded photo and returns its name once it is safely on disk. The same bytes, uploaded again or at the
     * same time, return the same name without being decoded again; those of a private photo always get a new one.
     * @throws Refusal
     */
    async storeUpload(
      { hash: contentHash, path, size, firstBytes }: Omit<SpooledUpload, typeof Symbol.asyncDispose>,
      { uploaderId, isPrivate }: { uploaderId: string; isPrivate: boolean },
    ): Promise<PhotoName> {
      const hash = isPrivate ? createPrivateHash() : contentHash;
      if (size > limits.bytes) throw toRefusal(tooManyBytes(limits));
      if (detectPhotoKind(firstBytes) === null) throw toRefusal(notAPhoto);
      await registerUpload(hash);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await storeOnce(
          hash,
          async () => (await findStoredPhoto(hash)) ?? (await decodeAndStore({ path, hash }, uploaderId)),
        );
        // The photo may have been released and deleted concurrently; from this registration on it is protected.
        await registerUpload(hash);
        const stored = await findStoredPhoto(hash);
        if (stored !== null) return stored;
      }
      throw photoBeingDeleted();
    },

    /**
     * Opens the variant at a path below `/photos/`, or returns null when there is none. The first request for a variant
     * waits until it is made.
     * @throws Refusal when too many variants are being made
     */
    async openVariant(path: string): Promise<ServedVariant | null> {
      const parsed = parsePhotoPath(path);
      if (parsed === null) return null;
      const { photo, variant } = parsed;
      const { width, format } = variant;
      const etag = `"${photo.hash}-${width}.${format}"`;
      const key = variantKey(photo, width, format);
      const headers = { contentType: mediaTypeOf(key), etag };
      const stored = await storage.get(key);
      if (stored !== null) return { ...stored, ...headers };
      const made = await makeVariantOnce(key, () => queueVariant(photo, width, format));
      return made === null ? null : { stream: Readable.from(made), size: made.length, ...headers };
    },
  };
}
