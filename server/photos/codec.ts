import sharp, { type Sharp } from 'sharp';
import { blurGrid, type PhotoFormat } from '#contract/photos.ts';
import type { Size } from './rules.ts';

/**
 * Pictures come from strangers: only the decoders of the accepted kinds may run, whatever a file pretends to be.
 * One thread per picture and no cache, because the queue already uses the cores and no picture comes twice.
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

/** Seconds that one step on one picture may take: a file made to be slow does not hold the queue. */
const STEP_TIMEOUT = 20;

/** The bytes are no picture that can be shown: damaged, cut off, or not what their beginning says. */
export class Undecodable extends Error {}

/** A decoded picture: upright, sRGB, eight bits a channel, without metadata. */
export interface Master extends Size {
  readonly pixels: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

function undecodable(cause: unknown): never {
  throw new Undecodable('The picture cannot be decoded', { cause });
}

/** `error` rather than `warning`: well-known phones write JPEGs that warn and look perfect. */
function open(bytes: Buffer, limitInputPixels: number | false): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels, pages: 1 }).timeout({ seconds: STEP_TIMEOUT });
}

/**
 * The size in pixels of the picture once upright, from its header alone.
 * @throws Undecodable
 */
export async function measure(bytes: Buffer): Promise<Size> {
  const { autoOrient } = await open(bytes, false).metadata().catch(undecodable);
  return autoOrient;
}

/**
 * Decodes a picture, no larger than `size`. Of a moving picture it is the first frame.
 * @param pixels the most that may be decoded, checked again by the decoder itself
 * @throws Undecodable
 */
export async function decode(bytes: Buffer, size: Size, pixels: number): Promise<Master> {
  const { data, info } = await open(bytes, pixels)
    .autoOrient()
    .resize({ ...size, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(undecodable);
  return { pixels: data, width: info.width, height: info.height, channels: info.channels };
}

function from({ pixels, width, height, channels }: Master): Sharp {
  return sharp(pixels, { raw: { width, height, channels } }).timeout({ seconds: STEP_TIMEOUT });
}

/**
 * Encodes a variant. AVIF at effort 2 is within a tenth of the size that four times the time would buy.
 * @throws when encoding fails, which is no fault of the upload
 */
export async function encode(master: Master, size: Size, format: PhotoFormat): Promise<Buffer> {
  const resized = from(master).resize({ ...size, fit: 'fill' });
  return format === 'avif'
    ? await resized.avif({ quality: 56, effort: 2, chromaSubsampling: '4:2:0' }).toBuffer()
    : await resized.webp({ quality: 80, effort: 4 }).toBuffer();
}

/**
 * The picture to make variants from, in a quality that does not show in them. At effort 0: smaller files would take
 * several times as long.
 * @throws when encoding fails, which is no fault of the upload
 */
export async function encodeMaster(master: Master): Promise<Buffer> {
  return await from(master).webp({ quality: 95, effort: 0 }).toBuffer();
}

/** The picture as a few pixels, one hexadecimal digit per channel, row by row. */
export async function blur(master: Master): Promise<string> {
  const pixels = await from(master)
    .flatten({ background: '#ffffff' })
    .resize({ ...blurGrid, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return Array.from(pixels, (channel) => Math.round(channel / 17).toString(16)).join('');
}
