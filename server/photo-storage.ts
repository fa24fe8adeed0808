import { join } from 'node:path';
import type { Config } from './config.ts';
import { openDiskStorage, type PhotoStorage } from './photos/storage.ts';

/** Opens the storage of the built-in image host. @returns null when an external image host is configured */
export async function openPhotoStorage({
  photos,
  dataFolder,
}: Pick<Config, 'photos' | 'dataFolder'>): Promise<PhotoStorage | null> {
  if (photos.kind === 'other') return null;
  if (photos.kind === 'disk') return openDiskStorage(join(dataFolder, 'photos'));
  // The SDK uses much memory, so it is imported only when it is needed.
  const { createObjectStorage } = await import('./vendors/object-storage.ts');
  return createObjectStorage({
    bucket: photos.bucket,
    region: photos.region,
    ...(photos.endpoint !== null && { endpoint: photos.endpoint, forcePathStyle: true }),
    ...(photos.credentials !== null && { credentials: photos.credentials }),
  });
}
