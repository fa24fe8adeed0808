import { masterKey, mediaTypeOf, recordKey } from '#server/photos/rules.ts';
import type { PhotoStorage } from '#server/photos/storage.ts';

/** The photo of any laptop. */
export const anyPhoto = { hash: 'a'.repeat(64), width: 1280, height: 960, blur: '0'.repeat(36) };

/** Puts that photo where a shop keeps its photos, as if it had been uploaded: a laptop shows only what is there. */
export async function keepAnyPhoto(storage: PhotoStorage): Promise<void> {
  for (const key of [recordKey(anyPhoto.hash), masterKey(anyPhoto)]) {
    await storage.put(key, Buffer.from(JSON.stringify(anyPhoto)), mediaTypeOf(key));
  }
}
