import * as z from 'zod';
import {
  type PhotoFormat,
  type PhotoName,
  parsePhotoPath,
  photoFormats,
  photoWidths,
  variantWidths,
  writePhotoName,
} from '#contract/photos.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is kept of an uploaded photo. */
export interface IngestedPhoto extends Size {
  /** The photo as a few pixels, for a placeholder. */
  readonly blur: string;
  /** The picture from which variants are made, as WebP. */
  readonly master: Uint8Array;
}

/** The tallest variant, in pixels: WebP ends at 16383, and no screen shows more than this at once. */
const MAXIMUM_HEIGHT = 4096;

/** The size in pixels of a photo that is scaled to a width. */
export function scaledTo(width: number, photo: Size): Size {
  return { width, height: Math.max(1, Math.round((photo.height * width) / photo.width)) };
}

/** The size in pixels of the largest variant: never wider than the upright picture, never too tall. */
export function largestSize(photo: Size): Size {
  const sizes = photoWidths
    .filter((width) => width <= photo.width)
    .map((width) => scaledTo(width, photo))
    .filter(({ height }) => height <= MAXIMUM_HEIGHT);
  return sizes.at(-1) ?? photo;
}

/** Where a variant is kept and, below `/photos/`, served. */
export function variantKey(photo: PhotoName, width: number, format: PhotoFormat): string {
  return `${writePhotoName(photo)}/${width}.${format}`;
}

/** Where the picture is kept from which variants are made. No path leads to it. */
export function masterKey(photo: PhotoName): string {
  return `${writePhotoName(photo)}/master.webp`;
}

/** What the record of a kept photo holds. */
export const PhotoRecord = z.object({ hash: z.string(), width: z.int(), height: z.int(), blur: z.string() });

/** Where the record stands that the photo of these uploaded bytes is kept. */
export function recordKey(hash: string): string {
  return `${hash}.json`;
}

/** The keys of every variant that can exist of a photo. */
export function variantKeys(photo: PhotoName): string[] {
  return variantWidths(photo.width).flatMap((width) =>
    photoFormats.map((format) => variantKey(photo, width, format)),
  );
}

/** What any key in a photo storage looks like: names that lead nowhere else. */
export const storageKey = /^[0-9a-z][0-9a-z.-]*(?:\/[0-9a-z][0-9a-z.-]*)*$/;

/** Whether a key is one of those above, which nothing but a photo bears: other things may lie in the same bucket. */
export function isPhotoKey(key: string): boolean {
  return /^[0-9a-f]{64}(?:\.json|-[0-9a-z-]+\/[0-9a-z]+\.(?:avif|webp))$/.test(key);
}

const mediaTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  json: 'application/json',
};

/** The media type of what stands under a key. */
export function mediaTypeOf(key: string): string {
  return mediaTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** The photo at an address, wherever the shop was then; null when the built-in host could not have answered it. */
export function photoAt(url: string): PhotoName | null {
  const path = /\/photos\/([^/]+\/[^/]+)$/.exec(url)?.[1] ?? '';
  return parsePhotoPath(path)?.photo ?? null;
}

/**
 * The hashes of the photos at these addresses, as far as the built-in host could keep them; each once, and sorted:
 * transactions that lock their rows in this order do not deadlock.
 */
export function hashesIn(urls: readonly string[]): string[] {
  const found = urls.map((url) => /\/photos\/([0-9a-f]{64})-/.exec(url)?.[1]);
  return [...new Set(found.filter((hash) => hash !== undefined))].sort();
}

/** The URL that an upload answers: the largest WebP, the variant which every browser can show. */
export function photoUrl(origin: string, photo: PhotoName): string {
  return `${origin}/photos/${variantKey(photo, photo.width, 'webp')}`;
}

/**
 * The path of a photo whose URL has the form that the built-in host answers to an upload. It is stored instead of the
 * URL, so that the shop can move to another origin.
 * @param origins the shop's
 * @returns null for any other URL
 */
export function ownPhotoPath(url: string, origins: readonly string[]): string | null {
  const photo = photoAt(url);
  const origin = photo && origins.find((each) => url === photoUrl(each, photo));
  return origin ? url.slice(origin.length) : null;
}

/**
 * Whether a URL lies on the image host whose upload call is at `hostUrl`: the same scheme, host and port. The URL
 * is only compared, never fetched.
 */
export function isPhotoOfHost(url: string, hostUrl: string): boolean {
  const photo = URL.parse(url);
  const host = URL.parse(hostUrl);
  if (photo === null || host === null || !/^https?:$/.test(photo.protocol)) return false;
  return photo.origin === host.origin && photo.username === '' && photo.password === '' && url === photo.href;
}
