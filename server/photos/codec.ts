import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { blurGrid, type PhotoFormat } from '#contract/photos.ts';
import { countScans, iccProfileOf, isCutOff, type PhotoKind, photoKind } from './headers.ts';
import { type HeicPixels, UnreadableHeic } from './heic-pixels.ts';
import {
  notAPhoto,
  type Objection,
  type PhotoLimits,
  PhotoRejected,
  scansObjection,
  sizeObjection,
  unreadable,
} from './objections.ts';
import { type IngestedPhoto, largestSize, type Size } from './rules.ts';

/**
 * Uploaded files are hostile: only the decoders of the accepted kinds may run, whatever a file claims to be.
 * One thread per picture and no cache, because several processes share the cores and no picture comes twice.
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

/** The bytes are no picture that can be shown: damaged, cut off, or not what their beginning says. */
class Undecodable extends Error {}

/** A decoded picture: upright, sRGB, eight bits a channel, without metadata. */
interface Master extends Size {
  readonly pixels: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

function undecodable(cause: unknown): never {
  throw new Undecodable('The picture cannot be decoded', { cause });
}

function reject(objection: Objection | null): void {
  if (objection !== null) throw new PhotoRejected(objection);
}

/** `error` rather than `warning`: well-known phones write JPEGs that warn and look perfect. */
function open(bytes: Buffer, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels, pages: 1 });
}

async function toMaster(picture: Sharp): Promise<Master> {
  const { data, info } = await picture
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(undecodable);
  return { pixels: data, width: info.width, height: info.height, channels: info.channels };
}

function decode(bytes: Buffer, size: Size, pixels: number): Promise<Master> {
  return toMaster(
    open(bytes, pixels)
      .autoOrient()
      .resize({ ...size, fit: 'fill' }),
  );
}

function from({ pixels, width, height, channels }: Master | HeicPixels): Sharp {
  return sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
}

/** Inserts an ICC profile into a PNG, behind its header. */
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const headerEnd = 33;
  const content = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, headerEnd), length, content, checksum, png.subarray(headerEnd)]);
}

/** libheif leaves the colours as they are: iPhones write them in Display P3, which the profile says. */
async function toSrgb(master: Master, profile: Buffer | null): Promise<Master> {
  if (profile === null) return master;
  // Raw pixels carry no profile; an uncompressed PNG does.
  const png = await from(master).png({ compressionLevel: 0 }).toBuffer();
  return toMaster(open(withProfile(png, profile), false));
}

async function ingestHeic(bytes: Buffer, limits: PhotoLimits): Promise<Master> {
  if (isCutOff(bytes)) throw new Undecodable('The file ends in the middle of a box');
  // Two megabytes of WebAssembly that only these photos need.
  const { decodeHeic } = await import('./heic.ts');
  const shrunk = await decodeHeic(
    bytes,
    (size) => reject(sizeObjection(size, 'heic', bytes.length, limits)),
    (pixels) => toMaster(from(pixels).resize({ ...largestSize(pixels), fit: 'fill' })),
  );
  return toSrgb(shrunk, iccProfileOf(bytes));
}

async function ingestByVips(bytes: Buffer, kind: PhotoKind, limits: PhotoLimits): Promise<Master> {
  if (kind === 'jpeg') reject(scansObjection(countScans(bytes, limits.scans), limits));
  const { autoOrient } = await open(bytes, false).metadata().catch(undecodable);
  reject(sizeObjection(autoOrient, kind, bytes.length, limits));
  return decode(bytes, largestSize(autoOrient), limits.pixels);
}

/**
 * Decodes an uploaded photo, no larger than its largest variant. Of a moving picture it is the first frame. What the
 * headers say is checked before anything is decoded.
 * @throws PhotoRejected
 */
export async function ingest(bytes: Buffer, limits: PhotoLimits): Promise<IngestedPhoto> {
  const kind = photoKind(bytes);
  if (kind === null) throw new PhotoRejected(notAPhoto);
  try {
    const picture = await (kind === 'heic' ? ingestHeic(bytes, limits) : ingestByVips(bytes, kind, limits));
    const { width, height } = picture;
    return { width, height, blur: await blur(picture), master: await encodeMaster(picture) };
  } catch (error) {
    if (!(error instanceof Undecodable || error instanceof UnreadableHeic)) throw error;
    throw new PhotoRejected(unreadable, { cause: error });
  }
}

/**
 * Makes a variant of a kept picture. AVIF at effort 2 is within a tenth of the size that four times the time would buy.
 * @throws when the picture is not one that {@link ingest} made
 */
export async function makeVariant(master: Buffer, size: Size, format: PhotoFormat): Promise<Buffer> {
  const resized = open(master, false).resize({ ...size, fit: 'fill', fastShrinkOnLoad: false });
  return format === 'avif'
    ? await resized.avif({ quality: 56, effort: 2, chromaSubsampling: '4:2:0' }).toBuffer()
    : await resized.webp({ quality: 80, effort: 4 }).toBuffer();
}

/** In a quality that does not show in variants. At effort 0: smaller files would take several times as long. */
async function encodeMaster(master: Master): Promise<Buffer> {
  return await from(master).webp({ quality: 95, effort: 0 }).toBuffer();
}

/** The picture as a few pixels, one hexadecimal digit per channel, row by row. */
async function blur(master: Master): Promise<string> {
  const pixels = await from(master)
    .flatten({ background: '#ffffff' })
    .resize({ ...blurGrid, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return Array.from(pixels, (channel) => Math.round(channel / 17).toString(16)).join('');
}
