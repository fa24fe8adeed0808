import {
  MAXIMUM_PHOTO_BYTES,
  MAXIMUM_PHOTO_PIXELS,
  type PhotoFormat,
  type PhotoName,
  parsePhotoPath,
  photoWidths,
  writePhotoName,
} from '#contract/photos.ts';
import type { RefusalCode } from '#contract/refusals.ts';

/** Why a photo is not taken: a code of the contract and a sentence for people. */
export interface Objection {
  readonly code: RefusalCode;
  readonly detail: string;
}

export type PhotoKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PhotoLimits {
  /** Largest upload, in bytes. */
  readonly bytes: number;
  /** Largest picture, in pixels. */
  readonly pixels: number;
}

export const standardLimits: PhotoLimits = { bytes: MAXIMUM_PHOTO_BYTES, pixels: MAXIMUM_PHOTO_PIXELS };

/** The tallest variant, in pixels: WebP ends at 16383, and no screen shows more than this at once. */
const MAXIMUM_HEIGHT = 4096;

/** The longest side over the shortest: beyond it no variant of the narrowest width stays under the height. */
const MAXIMUM_RATIO = 12;

const heifBrands: Readonly<Record<string, PhotoKind>> = {
  avif: 'avif',
  avis: 'avif',
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  mif1: 'heic',
  msf1: 'heic',
};

/**
 * The kind of a picture by its first bytes; names and declared types are whatever the sender likes.
 * @returns null for anything that is not one of the accepted kinds
 */
export function photoKind(bytes: Uint8Array): PhotoKind | null {
  const ascii = (start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));
  if (ascii(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 8) === 'ftyp') return heifBrands[ascii(8, 12)] ?? null;
  return null;
}

/** The objection to a file whose first bytes are those of no accepted kind. */
export const notAPhoto: Objection = {
  code: 'unsupported_media_type',
  detail: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.',
};

/** The objection to a file that begins like a photo and cannot be decoded. */
export function unreadable(kind: PhotoKind): Objection {
  if (kind === 'heic') {
    return {
      code: 'unsupported_media_type',
      detail:
        'This HEIC photo cannot be read here. Please save it as a JPEG and try again; an iPhone takes JPEGs with Settings, Camera, Formats, Most Compatible.',
    };
  }
  return {
    code: 'invalid_input',
    detail: 'This photo is damaged or incomplete. Please try it again or choose another.',
  };
}

/** The objection to an upload of more bytes than the limit. */
export function tooManyBytes(limits: PhotoLimits): Objection {
  const megabytes = Math.floor(limits.bytes / (1024 * 1024));
  return {
    code: 'too_large',
    detail: `A photo can have up to ${megabytes} MB. Please choose a smaller one.`,
  };
}

/** What speaks against a picture of this size, before anything of it is decoded. */
export function sizeObjection({ width, height }: Size, limits: PhotoLimits): Objection | null {
  if (width * height > limits.pixels) {
    const megapixels = Math.floor(limits.pixels / 1_000_000);
    return {
      code: 'too_large',
      detail: `A photo can have up to ${megapixels} megapixels; this one has ${width} × ${height} pixels.`,
    };
  }
  if (Math.max(width, height) > MAXIMUM_RATIO * Math.min(width, height)) {
    return { code: 'invalid_input', detail: 'This picture is too narrow to be shown as a photo.' };
  }
  return null;
}

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

/** Where the record stands that the photo of these uploaded bytes is kept. */
export function recordKey(hash: string): string {
  return `${hash}.json`;
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

/**
 * The keys of which one must be kept for the photo at this address to be shown: its own, and the master from which it
 * can be made. Empty when the built-in host could not have answered it.
 */
export function keysBehind(url: string): string[] {
  const path = /\/photos\/([^/]+\/[^/]+)$/.exec(url)?.[1] ?? '';
  const parsed = parsePhotoPath(path);
  return parsed === null ? [] : [path, masterKey(parsed.photo)];
}

/**
 * The hashes of the photos at these addresses, as far as the built-in host could keep them; each once, and sorted: who
 * locks their rows in this order never waits in a circle.
 */
export function hashesIn(urls: readonly string[]): string[] {
  const found = urls.map((url) => /\/photos\/([0-9a-f]{64})-/.exec(url)?.[1]);
  return [...new Set(found.filter((hash) => hash !== undefined))].sort();
}

/** The URL that an upload answers: the largest WebP, the variant which every browser can show. */
export function photoUrl(origin: string, photo: PhotoName): string {
  return `${origin}/photos/${variantKey(photo, photo.width, 'webp')}`;
}

/** Whether a URL is in the form that the built-in host at `origin` answers to an upload. */
export function isOwnPhoto(url: string, origin: string): boolean {
  const base = `${origin}/photos/`;
  const parsed = url.startsWith(base) ? parsePhotoPath(url.slice(base.length)) : null;
  return parsed !== null && url === photoUrl(origin, parsed.photo);
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
