/** The widths of the variants of the built-in host, in pixels, up to the width of the photo. */
export const photoWidths = [320, 640, 960, 1280, 1920] as const;

export const photoFormats = ['avif', 'webp'] as const;
export type PhotoFormat = (typeof photoFormats)[number];

/** The size of the placeholder in pixels. Browsers blur it by interpolation. */
export const blurGrid = { width: 4, height: 3 } as const;

/**
 * The name of a stored photo, from which a page can lay it out without a request: the hash of the uploaded bytes, the size
 * of the largest variant in pixels, and the placeholder with one hexadecimal digit per channel and pixel.
 */
export interface PhotoName {
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  readonly blur: string;
}

const cells = blurGrid.width * blurGrid.height * 3;
const photoPath = new RegExp(
  `^([0-9a-f]{64})-([1-9][0-9]{0,3})x([1-9][0-9]{0,3})-([0-9a-f]{${cells}})/([1-9][0-9]{0,3})\\.(avif|webp)$`,
);

/** Formats the name of a photo for its path. */
export function writePhotoName(photo: PhotoName): string {
  return `${photo.hash}-${photo.width}x${photo.height}-${photo.blur}`;
}

/** The widths of all variants of a photo, ascending. @param largest the width of the largest variant in pixels */
export function variantWidths(largest: number): readonly number[] {
  const fitting = photoWidths.filter((width) => width <= largest);
  return fitting.length === 0 ? [largest] : fitting;
}

/**
 * Parses `{name}/{width}.{avif|webp}`, the part of a photo's path after `/photos/`.
 * @returns null if it is not a variant of the built-in host
 */
export function parsePhotoPath(
  path: string,
): { photo: PhotoName; variant: { width: number; format: PhotoFormat } } | null {
  const [, hash, photoWidth, photoHeight, blur, width, extension] = photoPath.exec(path) ?? [];
  if (hash === undefined || blur === undefined) return null;
  const photo: PhotoName = { hash, width: Number(photoWidth), height: Number(photoHeight), blur };
  const variant = { width: Number(width), format: extension === 'avif' ? 'avif' : 'webp' } as const;
  return variantWidths(photo.width).includes(variant.width) ? { photo, variant } : null;
}

/** The attributes to show a photo. `avif` and `webp` are `srcset` values with width descriptors. */
export interface PhotoSources {
  src: string;
  avif?: string;
  webp?: string;
  /** Pixels of the largest variant, for the element's aspect ratio. */
  width?: number;
  height?: number;
  /** A `data:` URL of a few pixels, to be stretched behind the photo while it loads. */
  placeholder?: string;
}

/** The 54 bytes before the pixels of an uncompressed bitmap (BMP) of {@link blurGrid} with 24 bits a pixel, in base64. */
const BITMAP_HEADER = 'Qk1aAAAAAAAAADYAAAAoAAAABAAAAAMAAAABABgAAAAAACQAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * Encodes a placeholder as a bitmap. Rows go from bottom to top, channels are blue, green, red, and a row of four pixels needs no
 * padding.
 */
function encodeBitmap(blur: string): string {
  const { width, height } = blurGrid;
  const bytes: number[] = [];
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let column = 0; column < width; column += 1) {
      const cell = (row * width + column) * 3;
      for (const channel of [2, 1, 0]) bytes.push(Number.parseInt(blur.charAt(cell + channel), 16) * 17);
    }
  }
  // The header's length is a multiple of three, so that the two codes can be joined.
  return `data:image/bmp;base64,${BITMAP_HEADER}${btoa(String.fromCharCode(...bytes))}`;
}

const photosFolder = '/photos/';

/** Parses the URL of a photo. @returns null for other hosts than the built-in one */
function parsePhotoUrl(url: string) {
  const start = url.lastIndexOf(photosFolder);
  const parsed = start < 0 ? null : parsePhotoPath(url.slice(start + photosFolder.length));
  return parsed && { ...parsed, folder: url.slice(0, start + photosFolder.length) };
}

/** The size in pixels of the variant at a URL; null for other hosts than the built-in one. */
export function photoSize(url: string): { width: number; height: number } | null {
  const parsed = parsePhotoUrl(url);
  if (parsed === null) return null;
  const { photo, variant } = parsed;
  return { width: variant.width, height: Math.round((variant.width * photo.height) / photo.width) };
}

/**
 * Returns the sources of a photo from its URL: all variants and the size for the built-in host, only the URL for others.
 */
export function photoSources(url: string): PhotoSources {
  const parsed = parsePhotoUrl(url);
  if (parsed === null) return { src: url };
  const { photo } = parsed;
  const base = `${parsed.folder}${writePhotoName(photo)}`;
  const sources = (format: PhotoFormat) =>
    variantWidths(photo.width)
      .map((width) => `${base}/${width}.${format} ${width}w`)
      .join(', ');
  return {
    src: url,
    avif: sources('avif'),
    webp: sources('webp'),
    width: photo.width,
    height: photo.height,
    placeholder: encodeBitmap(photo.blur),
  };
}
