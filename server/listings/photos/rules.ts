import * as z from 'zod';
import {
  type PhotoFormat,
  type PhotoName,
  parsePhotoPath,
  photoFormats,
  photoWidths,
  variantWidths,
  writePhotoName,
} from '#contract/listings/photos.ts';
import { DAY_MS } from '#contract/platform/durations.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A decoded image: upright, eight bits per channel, without metadata. */
export interface DecodedImage extends Size {
  readonly pixels: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/** The decoded form of an uploaded photo. */
export interface IngestedPhoto extends Size {
  /** A placeholder: the photo scaled down to a few pixels. */
  readonly blur: string;
  /** By which photos are compared, see `fingerprint.ts`. */
  readonly thumbnail: Uint8Array;
  /** The image from which variants are made, as WebP. */
  readonly master: Uint8Array;
}

/** How long an upload is kept until a laptop shows it: a form may stay open overnight. */
export const UNCLAIMED_UPLOAD_TTL_MS = DAY_MS;

/** The maximum height of a variant, in pixels: WebP's own limit is 16383, and no screen shows more than this. */
const MAXIMUM_HEIGHT = 4096;

/** Calculates the size in pixels of a photo that is scaled to a width. */
export function sizeAtWidth(width: number, photo: Size): Size {
  return { width, height: Math.max(1, Math.round((photo.height * width) / photo.width)) };
}

/** Calculates the size in pixels of the largest variant, which is no wider than the upright image. */
export function largestSize(photo: Size): Size {
  const allowed = photoWidths
    .filter((width) => width <= photo.width)
    .map((width) => sizeAtWidth(width, photo))
    .filter(({ height }) => height <= MAXIMUM_HEIGHT);
  return allowed.at(-1) ?? photo;
}

/** The storage key of a variant, which is also its path below `/photos/`. */
export function variantKey(photo: PhotoName, width: number, format: PhotoFormat): string {
  return `${writePhotoName(photo)}/${width}.${format}`;
}

/** The storage key of the master image, from which variants are made. It is not served. */
export function masterKey(photo: PhotoName): string {
  return `${writePhotoName(photo)}/master.webp`;
}

/** The record of a stored photo. */
export const PhotoRecord = z.object({ hash: z.string(), width: z.int(), height: z.int(), blur: z.string() });

/** The storage key of the record of the photo whose uploaded bytes have this hash. */
export function recordKey(hash: string): string {
  return `${hash}.json`;
}

/** The storage keys of all variants that can exist of a photo. */
export function variantKeys(photo: PhotoName): string[] {
  return variantWidths(photo.width).flatMap((width) =>
    photoFormats.map((format) => variantKey(photo, width, format)),
  );
}

/** Matches the keys of a photo storage. No key refers to a path outside of the storage's folder. */
export const storageKey = /^[0-9a-z][0-9a-z.-]*(?:\/[0-9a-z][0-9a-z.-]*)*$/;

/** Whether a key is that of a photo's file. A bucket may also hold objects of other applications. */
export function isPhotoKey(key: string): boolean {
  return /^[0-9a-f]{64}(?:\.json|-[0-9a-z-]+\/[0-9a-z]+\.(?:avif|webp))$/.test(key);
}

const mediaTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  json: 'application/json',
};

/** The media type of the file with this key. */
export function mediaTypeOf(key: string): string {
  return mediaTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** Parses the photo's name from a URL of any origin; null when it is not a URL of the built-in host. */
export function parsePhotoUrl(url: string): PhotoName | null {
  const path = /\/photos\/([^/]+\/[^/]+)$/.exec(url)?.[1] ?? '';
  return parsePhotoPath(path)?.photo ?? null;
}

/**
 * Extracts the hashes from the URLs that the built-in host makes and ignores other URLs. Each hash is returned once, and
 * they are sorted: transactions that lock their rows in this order do not deadlock.
 */
export function extractHashes(urls: readonly string[]): string[] {
  const found = urls.map((url) => /\/photos\/([0-9a-f]{64})-/.exec(url)?.[1]);
  return [...new Set(found.filter((hash) => hash !== undefined))].sort();
}

/** The URL that an upload returns: that of the largest WebP, which every browser supports. */
export function photoUrl(origin: string, photo: PhotoName): string {
  return `${origin}/photos/${variantKey(photo, photo.width, 'webp')}`;
}

/**
 * Returns the path of a photo whose URL has the form that {@link photoUrl} makes. The path is stored instead of the URL,
 * so that the shop can move to another origin.
 * @param origins the shop's own
 * @returns null for any other URL
 */
export function ownPhotoPath(url: string, origins: readonly string[]): string | null {
  const photo = parsePhotoUrl(url);
  const origin = photo && origins.find((candidate) => url === photoUrl(candidate, photo));
  return origin ? url.slice(origin.length) : null;
}

/**
 * Whether a URL has the same scheme, host and port as the image host's upload URL `hostUrl`. The URL is only compared,
 * never fetched.
 */
export function isPhotoOfHost(url: string, hostUrl: string): boolean {
  const photo = URL.parse(url);
  const host = URL.parse(hostUrl);
  if (photo === null || host === null || !/^https?:$/.test(photo.protocol)) return false;
  return photo.origin === host.origin && photo.username === '' && photo.password === '' && url === photo.href;
}
