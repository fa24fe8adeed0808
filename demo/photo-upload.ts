import { readFile } from 'node:fs/promises';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/photos.ts';
import type { DemoPhoto } from './laptops/laptop.ts';

/**
 * Uploads one of the example pictures.
 * @returns its URL at the image host
 * @throws Error when the host does not keep it
 */
export async function uploadPhoto(
  photo: DemoPhoto,
  host: { photosUrl: string; photoKey: string; token: string },
): Promise<string> {
  const bytes = await readFile(new URL(`./photos/examples/${photo}.webp`, import.meta.url));
  const body = new FormData();
  body.set(PHOTO_FIELD, new Blob([bytes], { type: 'image/webp' }), `${photo}.webp`);
  const answer = await fetch(`${host.photosUrl}?key=${encodeURIComponent(host.photoKey)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}` },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const uploaded = PhotoUploaded.safeParse(await answer.json().catch(() => null));
  if (!answer.ok || !uploaded.success) {
    throw new Error(`The image host did not take the picture ${photo} (${answer.status}).`);
  }
  return uploaded.data.data.url;
}
