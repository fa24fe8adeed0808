import sharp from 'sharp';
import type { Theme, Viewport } from './capture.ts';

/** Maximum size of a picture, in bytes. */
const MAX_BYTES = 60_000;

/** The six pictures of the README, each with its file name, view, viewport and theme. */
export const readmePictures = [
  { file: 'home', view: 'home', viewport: { width: 1440, height: 900 }, theme: 'light' },
  { file: 'laptop', view: 'laptop', viewport: { width: 1440, height: 900 }, theme: 'light' },
  { file: 'payment', view: 'payment', viewport: { width: 1440, height: 900 }, theme: 'dark' },
  { file: 'certificate', view: 'certificate', viewport: { width: 1440, height: 900 }, theme: 'light' },
  { file: 'home-phone', view: 'home', viewport: { width: 390, height: 844 }, theme: 'dark' },
  { file: 'booking-phone', view: 'booking', viewport: { width: 390, height: 844 }, theme: 'light' },
] as const satisfies readonly { file: string; view: string; viewport: Viewport; theme: Theme }[];

/** Compresses a picture to the maximum size. @throws Error when that needs a quality below 58 */
export async function compressPicture(picture: Buffer): Promise<Buffer> {
  for (const quality of [88, 82, 76, 70, 64, 58]) {
    const smaller = await sharp(picture)
      .resize({ width: 1200, withoutEnlargement: true })
      .webp({ quality, effort: 6 })
      .toBuffer();
    if (smaller.length <= MAX_BYTES) return smaller;
  }
  throw new Error(`A picture of the README weighs more than ${MAX_BYTES / 1000} kB.`);
}
