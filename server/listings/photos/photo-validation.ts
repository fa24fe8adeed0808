import { MAXIMUM_PHOTO_BYTES, MAXIMUM_PHOTO_PIXELS } from '#contract/listings/photos.ts';
import type { RefusalCode } from '#contract/platform/refusals.ts';
import type { PhotoKind } from './image-headers.ts';
import type { Size } from './rules.ts';

export const rejectionCodes = [
  'invalid_input',
  'too_large',
  'unsupported_media_type',
  'busy',
] as const satisfies RefusalCode[];

/** Why a photo is not stored: a refusal code and its detail for people. */
export interface Rejection {
  readonly code: (typeof rejectionCodes)[number];
  readonly detail: string;
}

/** Thrown for an uploaded file whose content is not accepted. */
export class PhotoRejected extends Error {
  override readonly name = 'PhotoRejected';
  readonly rejection: Rejection;
  constructor(rejection: Rejection, options?: ErrorOptions) {
    super(rejection.detail, options);
    this.rejection = rejection;
  }
}

/** Thrown for bytes that are damaged, truncated, or not of the kind that their first bytes indicate. */
export class UndecodableError extends Error {}

/** Why the process that decodes a photo ended before it answered. */
export type WorkerEndReason = 'time' | 'memory' | 'crash' | 'unavailable';

export interface PhotoLimits {
  /** The largest upload, in bytes. */
  readonly bytes: number;
  /** The largest image, in pixels. */
  readonly pixels: number;
  /** The largest AVIF, in pixels: its decoder uses 18 bytes of memory per pixel, twice as much as any other. */
  readonly avifPixels: number;
  /** The most pixels per byte of the file, for images of more than {@link SMALL_IMAGE_PIXELS} pixels. */
  readonly pixelsPerByte: number;
  /** The most scans of a JPEG. */
  readonly scans: number;
}

/** An image of up to this many pixels is cheap to decode, regardless of its file size. */
const SMALL_IMAGE_PIXELS = 4_000_000;

/**
 * The largest photos that phones take by default have 12 to 50 megapixels: 8064 × 6048 as HEIC or JPEG from iPhones,
 * 8160 × 6120 as JPEG from others. A photo has fewer than 200 pixels per byte, and a progressive JPEG about ten scans.
 */
export const standardLimits: PhotoLimits = {
  bytes: MAXIMUM_PHOTO_BYTES,
  pixels: MAXIMUM_PHOTO_PIXELS,
  avifPixels: 25_000_000,
  pixelsPerByte: 1000,
  scans: 64,
};

/** The longest side divided by the shortest: above it even the narrowest variant exceeds the maximum height. */
const MAXIMUM_ASPECT_RATIO = 12;

/** For a file whose first bytes are not those of an accepted kind. */
export const notAPhoto: Rejection = {
  code: 'unsupported_media_type',
  detail: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.',
};

/** For a picture of the shop whose first bytes are not those of an accepted kind. SVG can contain scripts. */
export const notAPicture: Rejection = {
  code: 'unsupported_media_type',
  detail: 'Please choose a PNG, WebP or JPEG file. An SVG can be exported as PNG.',
};

/** For a file that starts like a photo and cannot be decoded. */
export const damagedPhoto: Rejection = {
  code: 'invalid_input',
  detail: 'This photo is damaged or incomplete. Please try it again or choose another.',
};

/** For a photo whose decoding process ended early. */
export const rejectionsByEndReason: Readonly<Record<WorkerEndReason, Rejection>> = {
  time: {
    code: 'invalid_input',
    detail:
      'This photo takes too long to decode and was not kept. Please save it as an ordinary JPEG and try again.',
  },
  memory: {
    code: 'too_large',
    detail:
      'This photo needs too much memory to decode and was not kept. Please save a smaller version as a JPEG and try again.',
  },
  crash: {
    code: 'invalid_input',
    detail:
      'This photo cannot be decoded and was not kept. Please save it as an ordinary JPEG and try again.',
  },
  unavailable: {
    code: 'busy',
    detail: 'The photo could not be processed just now and was not kept. Please try again in a few seconds.',
  },
};

/** For an upload while too many others are received or wait to be decoded. */
export const tooManyUploads: Rejection = {
  code: 'busy',
  detail:
    'Many photos are being uploaded right now. This one was not kept; please try again in a few seconds.',
};

/** For an upload of more bytes than the limit. */
export function tooManyBytes(limits: PhotoLimits): Rejection {
  const megabytes = Math.floor(limits.bytes / (1024 * 1024));
  return {
    code: 'too_large',
    detail: `A photo can have up to ${megabytes} MB. Please choose a smaller one.`,
  };
}

/**
 * Checks an image's size as its header states it, before anything is decoded.
 * @param bytes of the file
 * @returns null when the size is accepted
 */
export function checkSize(
  { width, height }: Size,
  kind: PhotoKind,
  bytes: number,
  limits: PhotoLimits,
): Rejection | null {
  const pixels = width * height;
  const maximum = kind === 'avif' ? Math.min(limits.avifPixels, limits.pixels) : limits.pixels;
  if (pixels > maximum) {
    const megapixels = Math.floor(maximum / 1_000_000);
    const subject = kind === 'avif' ? 'An AVIF photo' : 'A photo';
    return {
      code: 'too_large',
      detail: `${subject} can have up to ${megapixels} megapixels; this one has ${width} × ${height} pixels.`,
    };
  }
  if (pixels > SMALL_IMAGE_PIXELS && pixels > limits.pixelsPerByte * bytes) {
    return {
      code: 'invalid_input',
      detail: `This file is too small to be a photo of ${width} × ${height} pixels. Please choose another one.`,
    };
  }
  if (Math.max(width, height) > MAXIMUM_ASPECT_RATIO * Math.min(width, height)) {
    return { code: 'invalid_input', detail: 'This picture is too narrow to be shown as a photo.' };
  }
  return null;
}

/** Checks a JPEG's number of scans. @returns null when it is accepted */
export function checkScanCount(scans: number, limits: PhotoLimits): Rejection | null {
  if (scans <= limits.scans) return null;
  return {
    code: 'invalid_input',
    detail: `A JPEG can have up to ${limits.scans} scans. Please save this photo as an ordinary JPEG and try again.`,
  };
}
