import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  PHOTO_FIELD,
  type PhotoFormat,
  type PhotoName,
  parsePhotoPath,
  variantWidths,
} from '#contract/listings/photos.ts';
import { largestRange } from '#contract/platform/ip-prefixes.ts';
import { createWorkQueue, WorkNotStarted, type WorkRequest } from '#rate-limits/work-queue.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { createPrivateHash, isPrivateHash } from '../photo-links.ts';
import type { PictureShape } from './codec.ts';
import { type Codec, createCodec, standardBudget } from './codec-client.ts';
import { detectPhotoKind } from './image-headers.ts';
import {
  notAPhoto,
  type PhotoLimits,
  PhotoRejected,
  type Rejection,
  rejectionsByEndReason,
  standardLimits,
  tooManyBytes,
  tooManyUploads,
} from './photo-validation.ts';
import { type IngestedPhoto, masterKey, mediaTypeOf, recordKey, sizeAtWidth, variantKey } from './rules.ts';
import type { SpooledUpload } from './spool.ts';
import { readRecord } from './steps.ts';
import type { PhotoStorage, StoredBytes } from './storage.ts';
import { photoBeingDeleted, type StoredPhoto, type UploadSubject } from './uploads.ts';
import { WorkerEnded } from './worker/process.ts';

/** An image with the headers of its response. */
export interface ServedVariant extends StoredBytes {
  readonly contentType: string;
  /** Including the quotes. */
  readonly etag: string;
  /** Whether it is another size, because the requested one was not made in time. */
  readonly isSubstitute: boolean;
}

/** A client that waits for a response. */
export interface Requester {
  /** Its IP address. */
  address: string;
  /** Aborted when its connection is closed. */
  signal: AbortSignal;
}

/** The bounds of the requests that wait for variants. */
export interface VariantRoom {
  maximum: number;
  maximumOfOwner: number;
  maximumWaitMs: number;
}

/**
 * An address may wait for all photos of a long page. A requested size that is not started within seconds is replaced by
 * another one.
 */
export const standardVariantRoom: VariantRoom = { maximum: 256, maximumOfOwner: 64, maximumWaitMs: 4_000 };

/** How many variants are made at the same time. A waiting one loads nothing into memory. */
const CONCURRENT_VARIANTS = 2;

/** How many received uploads may wait to be decoded: of all addresses, and of one. */
export interface DecodingRoom {
  maximum: number;
  maximumOfOwner: number;
}

export const standardDecodingRoom: DecodingRoom = { maximum: 24, maximumOfOwner: 8 };

/** Makes the refusal of an upload. */
export function toRefusal({ code, detail }: Rejection): Refusal {
  return new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
}

/** Makes the refusal for a full disk or an exceeded disk quota; null for any other error. */
export function storageFullRefusal(error: unknown): Refusal | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new Refusal(
        'busy',
        'There is no room for more photos right now, so this one was not kept. Everything else is; please try again later.',
      )
    : null;
}

export interface PhotoHostDependencies {
  storage: PhotoStorage;
  limits: PhotoLimits;
  codec: Codec;
  variantRoom: VariantRoom;
  decodingRoom: DecodingRoom;
  /** Called before an upload is stored, and again afterwards. @throws Refusal */
  registerUpload(hash: string): Promise<void>;
  /** Called with a decoded photo, before it is stored. */
  recordDecoded(photo: StoredPhoto, subject: UploadSubject): Promise<void>;
  /** Called with an error that does not fail the request. */
  reportError(error: unknown): void;
}

/** The headers of the file with this key. Its name is its version, because a file is never changed. */
function headersOf(key: string): { contentType: string; etag: string } {
  const [name = '', file = ''] = key.split('/');
  return { contentType: mediaTypeOf(key), etag: `"${name.slice(0, name.indexOf('-'))}-${file}"` };
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
  variantRoom,
  decodingRoom,
  registerUpload,
  recordDecoded,
  reportError,
}: PhotoHostDependencies) {
  const storeOnce = createSingleFlight<void>();
  const variants = createWorkQueue<Uint8Array | null>({ concurrency: CONCURRENT_VARIANTS, ...variantRoom });
  // One, so that two hostile files are never in memory together.
  const decoding = createWorkQueue<IngestedPhoto>({ concurrency: 1, maximumWaitMs: null, ...decodingRoom });

  async function findStoredPhoto(hash: string): Promise<PhotoName | null> {
    const photo = await readRecord(storage, hash);
    return photo !== null && (await storage.has(masterKey(photo))) ? photo : null;
  }

  /** @throws Refusal, and what the queue throws when the client has left */
  async function decode(path: string, request: WorkRequest): Promise<IngestedPhoto> {
    try {
      return await decoding.run(request, () => codec.ingest(path, limits));
    } catch (error) {
      if (error instanceof PhotoRejected) throw toRefusal(error.rejection);
      if (error instanceof WorkNotStarted) throw toRefusal(tooManyUploads);
      if (!(error instanceof WorkerEnded)) throw error;
      reportError(error);
      throw toRefusal(rejectionsByEndReason[error.reason]);
    }
  }

  async function storeDecoded(hash: string, decoded: IngestedPhoto, subject: UploadSubject): Promise<void> {
    if ((await findStoredPhoto(hash)) !== null) return;
    const { master, width, height, blur, thumbnail } = decoded;
    const photo: PhotoName = { hash, width, height, blur };
    const [photoKey, record] = [masterKey(photo), recordKey(hash)];
    const isPrivate = isPrivateHash(hash);
    await recordDecoded({ hash, bytes: master.length, thumbnail: isPrivate ? null : thumbnail }, subject);
    try {
      // The record first: deleting a photo follows it, even if the upload is interrupted here.
      await storage.put(record, Buffer.from(JSON.stringify(photo)), mediaTypeOf(record));
      await storage.put(photoKey, master, mediaTypeOf(photoKey));
    } catch (error) {
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

  /** Opens the size that is nearest to a requested one among those there are, or else the file that all are made from. */
  async function openNearest(
    photo: PhotoName,
    width: number,
    format: PhotoFormat,
  ): Promise<ServedVariant | null> {
    const nearest = variantWidths(photo.width).toSorted(
      (one, other) => Math.abs(one - width) - Math.abs(other - width),
    );
    for (const key of [...nearest.map((each) => variantKey(photo, each, format)), masterKey(photo)]) {
      const found = await openStored(key);
      if (found !== null) return { ...found, isSubstitute: true };
    }
    return null;
  }

  async function openStored(key: string): Promise<ServedVariant | null> {
    const stored = await storage.get(key);
    return stored && { ...stored, ...headersOf(key), isSubstitute: false };
  }

  return {
    /**
     * Stores an uploaded photo and returns its name once it is safely on disk. The same bytes, uploaded again or at the
     * same time, return the same name without being decoded again; those of a private photo always get a new one.
     * @throws Refusal
     */
    async storeUpload(
      { hash: contentHash, path, size, firstBytes }: Omit<SpooledUpload, typeof Symbol.asyncDispose>,
      { isPrivate, signal, ...subject }: UploadSubject & Requester & { isPrivate: boolean },
    ): Promise<PhotoName> {
      const hash = isPrivate ? createPrivateHash() : contentHash;
      if (size > limits.bytes) throw toRefusal(tooManyBytes(limits));
      if (detectPhotoKind(firstBytes) === null) throw toRefusal(notAPhoto);
      const request = {
        key: hash,
        owner: largestRange(subject.address),
        subject: subject.uploaderId,
        signal,
      };
      await registerUpload(hash);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        if ((await findStoredPhoto(hash)) === null) {
          const decoded = await decode(path, request);
          await storeOnce(hash, () => storeDecoded(hash, decoded, subject));
        }
        // The photo may have been released and deleted concurrently; from this registration on it is protected.
        await registerUpload(hash);
        const stored = await findStoredPhoto(hash);
        if (stored !== null) return stored;
      }
      throw photoBeingDeleted();
    },

    /**
     * Opens the variant at a path below `/photos/`, or returns null when there is none. The first request for a variant
     * waits until it is made. One that has to wait for too long gets another size of the photo.
     * @throws the reason of the requester's signal
     */
    async openVariant(path: string, { address, signal }: Requester): Promise<ServedVariant | null> {
      const parsed = parsePhotoPath(path);
      if (parsed === null) return null;
      const { photo, variant } = parsed;
      const { width, format } = variant;
      const key = variantKey(photo, width, format);
      const stored = await openStored(key);
      if (stored !== null) return stored;
      if (!(await storage.has(masterKey(photo)))) return null;
      try {
        const made = await variants.run(
          { key, owner: largestRange(address), subject: photo.hash, signal },
          () => makeAndStoreVariant(photo, width, format),
        );
        if (made === null) return null;
        return { stream: Readable.from(made), size: made.length, ...headersOf(key), isSubstitute: false };
      } catch (error) {
        if (error instanceof WorkerEnded) reportError(error);
        else if (!(error instanceof WorkNotStarted)) throw error;
        return openNearest(photo, width, format);
      }
    },
  };
}

/** Encodes pictures of the shop anew, one at a time, in a process that can be killed. */
export type PictureEncoder = ReturnType<typeof createPictureEncoder>;

export function createPictureEncoder() {
  const codec = createCodec(standardBudget);
  let last: Promise<unknown> = Promise.resolve();

  return {
    /** @throws Refusal for a file that is no JPEG, PNG or WebP, or cannot be decoded */
    async encode(bytes: Uint8Array, shape: PictureShape) {
      const encoded = last.then(() => codec.encodePicture(bytes, standardLimits, shape));
      // Its caller handles a failure; the next picture is encoded all the same.
      last = encoded.catch(() => undefined);
      try {
        return await encoded;
      } catch (error) {
        if (error instanceof PhotoRejected) throw toRefusal(error.rejection);
        if (error instanceof WorkerEnded) throw toRefusal(rejectionsByEndReason[error.reason]);
        throw error;
      }
    },
    close: () => codec.close(),
  };
}
