import { masterKey, mediaTypeOf, recordKey } from '#server/listings/photos/rules.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';

/** The photo that sample laptops show. */
export const samplePhoto = { hash: 'a'.repeat(64), width: 1280, height: 960, blur: '0'.repeat(36) };

/** Stores the sample photo as if it had been uploaded. A laptop can be listed only with stored photos. */
export async function storeSamplePhoto(storage: PhotoStorage): Promise<void> {
  for (const key of [recordKey(samplePhoto.hash), masterKey(samplePhoto)]) {
    await storage.put(key, Buffer.from(JSON.stringify(samplePhoto)), mediaTypeOf(key));
  }
}
