import sharp from 'sharp';
import type { Theme, Window } from './capture.ts';

/** Maximum size of a picture, in bytes. */
const HEAVIEST = 60_000;

/** The six pictures of the README: which view, in which window and theme, by the name of its file. */
export const readmePictures = [
  { file: 'home', view: 'home', window: { width: 1440, height: 900 }, theme: 'light' },
  { file: 'category', view: 'category', window: { width: 1440, height: 900 }, theme: 'light' },
  { file: 'payment', view: 'payment', window: { width: 1440, height: 900 }, theme: 'dark' },
  { file: 'reported-items', view: 'reported-items', window: { width: 1440, height: 900 }, theme: 'light' },
  { file: 'home-phone', view: 'home', window: { width: 390, height: 844 }, theme: 'dark' },
  { file: 'booking-phone', view: 'booking', window: { width: 390, height: 844 }, theme: 'light' },
] as const satisfies readonly { file: string; view: string; window: Window; theme: Theme }[];

/** Compresses a picture to the maximum size. @throws Error when that needs a quality below 58 */
export async function compressPicture(picture: Buffer): Promise<Buffer> {
  for (const quality of [88, 82, 76, 70, 64, 58]) {
    const smaller = await sharp(picture)
      .resize({ width: 1200, withoutEnlargement: true })
      .webp({ quality, effort: 6 })
      .toBuffer();
    if (smaller.length <= HEAVIEST) return smaller;
  }
  throw new Error(`A picture of the README weighs more than ${HEAVIEST / 1000} kB.`);
}
