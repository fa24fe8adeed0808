import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { blurGrid, type PhotoFormat } from '#contract/listings/photos.ts';
import { THUMBNAIL_SIZE } from './fingerprint.ts';
import { detectPhotoKind, findIccProfile, findScans, isTruncated, type PhotoKind } from './image-headers.ts';
import {
  checkScanCount,
  checkSize,
  damagedPhoto,
  notAPhoto,
  notAPicture,
  type PhotoLimits,
  PhotoRejected,
  type Rejection,
  UndecodableError,
} from './photo-validation.ts';
import { type DecodedImage, type IngestedPhoto, largestSize, type Size } from './rules.ts';

/**
 * Uploaded files are untrusted: only the decoders of the accepted kinds may run, whatever a file claims to be.
 * One thread per image and no cache: several processes share the cores, and no image is decoded twice.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadUhdr',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
  ],
});
sharp.concurrency(1);
sharp.cache(false);

function throwUndecodable(cause: unknown): never {
  throw new UndecodableError('The image cannot be decoded', { cause });
}

function throwIfRejected(rejection: Rejection | null): void {
  if (rejection !== null) throw new PhotoRejected(rejection);
}

/** Fails on `error` rather than `warning`: common phones write JPEGs that cause warnings and are intact. */
function openImage(bytes: Buffer, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels, pages: 1 });
}

async function decodePixels(image: Sharp): Promise<DecodedImage> {
  const { data, info } = await image
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(throwUndecodable);
  return { pixels: data, width: info.width, height: info.height, channels: info.channels };
}

function decodeResized(bytes: Buffer, size: Size, maximumPixels: number): Promise<DecodedImage> {
  return decodePixels(
    openImage(bytes, maximumPixels)
      .autoOrient()
      .resize({ ...size, fit: 'fill' }),
  );
}

function sharpFromPixels({ pixels, width, height, channels }: DecodedImage): Sharp {
  return sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
}

/** Inserts an ICC profile after the header of a PNG, as an iCCP chunk: length, type, content, checksum. */
function insertIccProfile(png: Buffer, profile: Buffer): Buffer {
  // The signature has 8 bytes, the IHDR chunk 25.
  const headerEnd = 33;
  const typeAndContent = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(typeAndContent.length - 4);
  checksum.writeUInt32BE(crc32(typeAndContent));
  return Buffer.concat([
    png.subarray(0, headerEnd),
    length,
    typeAndContent,
    checksum,
    png.subarray(headerEnd),
  ]);
}

/** Converts an image to sRGB. libheif does not apply the file's profile, which is Display P3 for iPhones. */
async function convertToSrgb(image: DecodedImage, profile: Buffer | null): Promise<DecodedImage> {
  if (profile === null) return image;
  // Raw pixels cannot hold a profile; an uncompressed PNG can.
  const png = await sharpFromPixels(image).png({ compressionLevel: 0 }).toBuffer();
  return decodePixels(openImage(insertIccProfile(png, profile), false));
}

async function ingestHeic(bytes: Buffer, limits: PhotoLimits): Promise<DecodedImage> {
  if (isTruncated(bytes)) throw new UndecodableError('The file ends in the middle of a box');
  // Loaded on demand: two megabytes of WebAssembly that only HEIC files need.
  const { decodeHeic } = await import('./heic.ts');
  const resized = await decodeHeic(
    bytes,
    (size) => throwIfRejected(checkSize(size, 'heic', bytes.length, limits)),
    (pixels) => decodePixels(sharpFromPixels(pixels).resize({ ...largestSize(pixels), fit: 'fill' })),
  );
  return convertToSrgb(resized, findIccProfile(bytes));
}

/** Appended to a JPEG without an end marker: more data than libjpeg reads ahead, and the marker. */
const jpegEnding = (filler: number) => Buffer.concat([Buffer.alloc(64, filler), Buffer.from([0xff, 0xd9])]);

/**
 * Decodes a JPEG that lacks its end marker, as some cameras and interrupted copies leave it. libjpeg decodes missing data as
 * grey, and reports it only as one of the warnings that intact files cause as well. So the image is decoded with different
 * data behind its last byte: it is complete when no pixel differs.
 * @throws UndecodableError when pixels are missing
 */
async function decodeUnended(jpeg: Buffer, size: Size, maximumPixels: number): Promise<DecodedImage> {
  // The first half of a marker, which would make another marker with the appended bytes.
  let end = jpeg.length;
  while (jpeg[end - 1] === 0xff) end -= 1;
  const decodeWith = (filler: number) =>
    decodeResized(Buffer.concat([jpeg.subarray(0, end), jpegEnding(filler)]), size, maximumPixels);
  const image = await decodeWith(0x00);
  const { pixels } = await decodeWith(0x55);
  if (image.pixels.equals(pixels)) return image;
  throw new UndecodableError('The JPEG ends before its last pixel');
}

async function ingestWithSharp(bytes: Buffer, kind: PhotoKind, limits: PhotoLimits): Promise<DecodedImage> {
  const jpeg = kind === 'jpeg' ? findScans(bytes, limits.scans) : null;
  if (jpeg !== null) throwIfRejected(checkScanCount(jpeg.scans, limits));
  const { autoOrient } = await openImage(bytes, false).metadata().catch(throwUndecodable);
  throwIfRejected(checkSize(autoOrient, kind, bytes.length, limits));
  const decode = jpeg === null || jpeg.hasEndMarker ? decodeResized : decodeUnended;
  return decode(bytes, largestSize(autoOrient), limits.pixels);
}

/**
 * Decodes an uploaded photo to the size of its largest variant. Of an animation, only the first frame is decoded. The
 * headers are checked before anything is decoded.
 * @throws PhotoRejected
 */
export async function ingest(bytes: Buffer, limits: PhotoLimits): Promise<IngestedPhoto> {
  const kind = detectPhotoKind(bytes);
  if (kind === null) throw new PhotoRejected(notAPhoto);
  try {
    const image = await (kind === 'heic' ? ingestHeic(bytes, limits) : ingestWithSharp(bytes, kind, limits));
    const { width, height } = image;
    const [blur, thumbnail] = [await encodeBlur(image), await makeThumbnail(image)];
    return { width, height, blur, thumbnail, master: await encodeMaster(image) };
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    throw new PhotoRejected(damagedPhoto, { cause: error });
  }
}

/**
 * Makes a variant of a master image. AVIF at effort 2 is at most a tenth larger than at an effort that takes four times
 * as long.
 * @throws when the image was not made by {@link ingest}
 */
export async function makeVariant(master: Buffer, size: Size, format: PhotoFormat): Promise<Buffer> {
  const resized = openImage(master, false).resize({ ...size, fit: 'fill', fastShrinkOnLoad: false });
  return format === 'avif'
    ? await resized.avif({ quality: 56, effort: 2, chromaSubsampling: '4:2:0' }).toBuffer()
    : await resized.webp({ quality: 80, effort: 4 }).toBuffer();
}

/** How a picture of the shop is encoded: its size in pixels, how an image is fitted into it, and its format. */
export interface PictureShape extends Size {
  readonly fit: 'inside' | 'cover' | 'contain';
  readonly format: 'webp' | 'png' | 'jpeg';
}

/**
 * Encodes an uploaded picture of the shop anew. Transparency stays, except in JPEG.
 * @throws PhotoRejected for any file that is no JPEG, PNG or WebP
 */
export async function encodePicture(
  bytes: Buffer,
  limits: PhotoLimits,
  { width, height, fit, format }: PictureShape,
): Promise<{ bytes: Buffer } & Size> {
  const kind = detectPhotoKind(bytes);
  if (kind !== 'jpeg' && kind !== 'png' && kind !== 'webp') throw new PhotoRejected(notAPicture);
  try {
    const { pixels, ...size } = await ingestWithSharp(bytes, kind, limits);
    const resized = sharpFromPixels({ pixels, ...size }).resize({
      ...{ width, height, fit },
      withoutEnlargement: fit === 'inside',
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    });
    const encoded = await {
      webp: () => resized.webp({ quality: 90 }),
      png: () => resized.png({ palette: true }),
      jpeg: () => resized.flatten({ background: '#ffffff' }).jpeg({ quality: 80 }),
    }
      [format]()
      .toBuffer({ resolveWithObject: true });
    return { bytes: encoded.data, width: encoded.info.width, height: encoded.info.height };
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    throw new PhotoRejected(damagedPhoto, { cause: error });
  }
}

/** Makes the picture by which photos are compared: {@link THUMBNAIL_SIZE} pixels squared, one byte of luminance each. */
export async function makeThumbnail(image: DecodedImage): Promise<Buffer> {
  return await sharpFromPixels(image)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .resize({ width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
}

/** Quality 95 is visually lossless in variants. A higher effort saves little and takes several times as long. */
async function encodeMaster(image: DecodedImage): Promise<Buffer> {
  return await sharpFromPixels(image).webp({ quality: 95, effort: 0 }).toBuffer();
}

/** Encodes a placeholder: the image at {@link blurGrid} pixels, one hexadecimal digit per channel, row by row. */
async function encodeBlur(image: DecodedImage): Promise<string> {
  const pixels = await sharpFromPixels(image)
    .flatten({ background: '#ffffff' })
    .resize({ ...blurGrid, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return Array.from(pixels, (channel) => Math.round(channel / 17).toString(16)).join('');
}
