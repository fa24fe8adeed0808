import { MAXIMUM_PHOTO_BYTES, MAXIMUM_PHOTO_PIXELS } from '#contract/photos.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { PhotoKind } from './headers.ts';
import type { Size } from './rules.ts';

export const objectionCodes = [
  'invalid_input',
  'too_large',
  'unsupported_media_type',
  'busy',
] as const satisfies RefusalCode[];

/** Why a photo is not kept: a code of the contract and a sentence for people. */
export interface Objection {
  readonly code: (typeof objectionCodes)[number];
  readonly detail: string;
}

/** An uploaded file that is not kept for what is in it. */
export class PhotoRejected extends Error {
  override readonly name = 'PhotoRejected';
  readonly objection: Objection;
  constructor(objection: Objection, options?: ErrorOptions) {
    super(objection.detail, options);
    this.objection = objection;
  }
}

/** Why a process that decodes a photo ended before it answered. */
export type EndReason = 'time' | 'memory' | 'crash' | 'unavailable';

export interface PhotoLimits {
  /** Largest upload, in bytes. */
  readonly bytes: number;
  /** Largest picture, in pixels. */
  readonly pixels: number;
  /** Largest AVIF, in pixels: its decoder takes 18 bytes of memory a pixel, twice as much as any other. */
  readonly avifPixels: number;
  /** Pixels a byte of the file may stand for, in a picture of more than {@link SMALL_PICTURE} pixels. */
  readonly pixelsPerByte: number;
  /** Scans of a JPEG. */
  readonly scans: number;
}

/** Decoding a picture of up to so many pixels costs little, however few bytes it has. */
const SMALL_PICTURE = 4_000_000;

/**
 * The largest pictures that phones take by default have 12 to 50 megapixels: 8064 × 6048 as HEIC or JPEG from iPhones,
 * 8160 × 6120 as JPEG from others. A photo has fewer than 200 pixels a byte, and a progressive JPEG ten scans or so.
 */
export const standardLimits: PhotoLimits = {
  bytes: MAXIMUM_PHOTO_BYTES,
  pixels: MAXIMUM_PHOTO_PIXELS,
  avifPixels: 25_000_000,
  pixelsPerByte: 1000,
  scans: 64,
};

/** The longest side over the shortest: beyond it no variant of the narrowest width stays under the height. */
const MAXIMUM_RATIO = 12;

/** The objection to a file whose first bytes are those of no accepted kind. */
export const notAPhoto: Objection = {
  code: 'unsupported_media_type',
  detail: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.',
};

/** The objection to a file that begins like a photo and cannot be decoded. */
export const unreadable: Objection = {
  code: 'invalid_input',
  detail: 'This photo is damaged or incomplete. Please try it again or choose another.',
};

/** The objection to a photo whose decoding was ended, by what ended it. */
export const endedObjections: Readonly<Record<EndReason, Objection>> = {
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

/** The objection to an upload of more bytes than the limit. */
export function tooManyBytes(limits: PhotoLimits): Objection {
  const megabytes = Math.floor(limits.bytes / (1024 * 1024));
  return {
    code: 'too_large',
    detail: `A photo can have up to ${megabytes} MB. Please choose a smaller one.`,
  };
}

/** The objection to a picture of this size, told before anything of it is decoded; null when there is none. */
export function sizeObjection(
  { width, height }: Size,
  kind: PhotoKind,
  bytes: number,
  limits: PhotoLimits,
): Objection | null {
  const pixels = width * height;
  const most = kind === 'avif' ? Math.min(limits.avifPixels, limits.pixels) : limits.pixels;
  if (pixels > most) {
    const megapixels = Math.floor(most / 1_000_000);
    const subject = kind === 'avif' ? 'An AVIF photo' : 'A photo';
    return {
      code: 'too_large',
      detail: `${subject} can have up to ${megapixels} megapixels; this one has ${width} × ${height} pixels.`,
    };
  }
  if (pixels > SMALL_PICTURE && pixels > limits.pixelsPerByte * bytes) {
    return {
      code: 'invalid_input',
      detail: `This file is too small to be a photo of ${width} × ${height} pixels. Please choose another one.`,
    };
  }
  if (Math.max(width, height) > MAXIMUM_RATIO * Math.min(width, height)) {
    return { code: 'invalid_input', detail: 'This picture is too narrow to be shown as a photo.' };
  }
  return null;
}

/** The objection to a JPEG of so many scans; null when there is none. */
export function scansObjection(scans: number, limits: PhotoLimits): Objection | null {
  if (scans <= limits.scans) return null;
  return {
    code: 'invalid_input',
    detail: `A JPEG can have up to ${limits.scans} scans. Please save this photo as an ordinary JPEG and try again.`,
  };
}
