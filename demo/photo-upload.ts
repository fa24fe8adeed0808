import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/photos.ts';

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
