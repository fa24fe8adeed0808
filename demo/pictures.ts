import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/photos.ts';
import type { DemoLaptop } from './laptops/laptop.ts';

/** The views of a laptop, in the order of its photos. */
const views = ['open', 'closed', 'keys'] as const;

/** Returns a laptop's part of the picture file names: its name in kebab-case. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Returns the existing picture files of each laptop.
 * @param folder the folder of the pictures, with a trailing slash
 * @throws if a laptop has none
 */
export async function listPictures(
  laptops: readonly Pick<DemoLaptop, 'name'>[],
  folder: URL = new URL('./photos/', import.meta.url),
): Promise<ReadonlyMap<string, readonly [URL, ...URL[]]>> {
  const files = new Set(await readdir(folder));
  return new Map(
    laptops.map(({ name }) => {
      const [first, ...others] = views
        .map((view) => `${slugOf(name)}-${view}.webp`)
        .filter((file) => files.has(file))
        .map((file) => new URL(file, folder));
      if (first === undefined)
        throw new Error(`No picture of the ${name} was found (demo/photos/README.md).`);
      return [name, [first, ...others]];
    }),
  );
}

/** A picture for tests that need any one. */
export const samplePicture = new URL('./photos/dell-latitude-7420-open.webp', import.meta.url);

/**
 * Uploads a picture.
 * @returns its URL at the image host
 * @throws Error if the host rejects it
 */
export async function uploadPhoto(
  picture: URL,
  host: { photosUrl: string; photoKey: string; token: string },
): Promise<string> {
  const name = basename(picture.pathname);
  const body = new FormData();
  body.set(PHOTO_FIELD, new Blob([await readFile(picture)], { type: 'image/webp' }), name);
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
