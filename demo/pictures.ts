import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import sharp from 'sharp';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/listings/photos.ts';
import { type DemoLaptop, flawViews } from './laptops/laptop.ts';

/** The views of a whole laptop, in the order of its photos. The close-ups of its flaws follow. */
const wholeViews = ['open', 'closed', 'keys'] as const;

/** A picture file and the caption of its photo. */
export interface Picture {
  file: URL;
  caption: string | null;
}

/** Returns a laptop's part of the picture file names: its name in kebab-case. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Returns the pictures of each laptop, of which the first is its main photo. A view that the laptop has no picture of is
 * taken from the laptop named in `photosOf`. A flaw is shown only if the laptop names it.
 * @param folder the folder of the pictures, with a trailing slash
 * @throws if a laptop has no picture
 */
export async function listPictures(
  laptops: readonly Pick<DemoLaptop, 'name' | 'photosOf' | 'flaws'>[],
  folder: URL = new URL('./photos/', import.meta.url),
): Promise<ReadonlyMap<string, readonly [Picture, ...Picture[]]>> {
  const files = new Set(await readdir(folder));
  return new Map(
    laptops.map(({ name, photosOf, flaws = {} }) => {
      const find = (view: string, caption: string | null): Picture[] => {
        const file = [name, photosOf ?? name]
          .map((each) => `${slugOf(each)}-${view}.webp`)
          .find((each) => files.has(each));
        return file === undefined ? [] : [{ file: new URL(file, folder), caption }];
      };
      const [first, ...others] = wholeViews.flatMap((view) => find(view, null));
      if (first === undefined)
        throw new Error(`No picture of the ${name} was found (demo/photos/README.md).`);
      const closeUps = flawViews.flatMap((view) => {
        const caption = flaws[view];
        return caption === undefined ? [] : find(view, caption);
      });
      return [name, [first, ...others, ...closeUps]];
    }),
  );
}

/** A picture for tests that need any one. */
export const samplePicture = new URL('./photos/dell-latitude-7420-open.webp', import.meta.url);

/** The middle half of a picture, as a photo of its own: what the shop shows as its photos must not be the seller's. */
export async function closeUp(picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const [left, top] = [Math.floor(width / 4), Math.floor(height / 4)];
  return sharp(picture)
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .webp()
    .toBuffer();
}

/**
 * Uploads a picture.
 * @param edit changes it before
 * @returns its URL at the image host
 * @throws Error if the host rejects it
 */
export async function uploadPhoto(
  picture: URL,
  host: { photosUrl: string; photoKey: string; token: string },
  edit = async (content: Buffer) => content,
): Promise<string> {
  const name = basename(picture.pathname);
  const body = new FormData();
  body.set(
    PHOTO_FIELD,
    new Blob([new Uint8Array(await edit(await readFile(picture)))], { type: 'image/webp' }),
    name,
  );
  const response = await fetch(`${host.photosUrl}?key=${encodeURIComponent(host.photoKey)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}` },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const uploaded = PhotoUploaded.safeParse(await response.json().catch(() => null));
  if (!response.ok || !uploaded.success) {
    throw new Error(`The image host did not take the picture ${name} (${response.status}).`);
  }
  return uploaded.data.data.url;
}
