import { join } from 'node:path';
import type { Config } from './config.ts';
import { openDiskStorage, type PhotoStorage } from './photos/storage.ts';

/** Opens where the built-in image host keeps its photos; null when another host does. */
export async function openPhotoStorage({
  photos,
  dataFolder,
}: Pick<Config, 'photos' | 'dataFolder'>): Promise<PhotoStorage | null> {
  if (photos.kind === 'other') return null;
  if (photos.kind === 'disk') return openDiskStorage(join(dataFolder, 'photos'));
  // The SDK is large; a shop that keeps its photos on disk need not hold it in memory.
  const { createObjectStorage } = await import('./vendors/object-storage.ts');
  return createObjectStorage({
    bucket: photos.bucket,
    region: photos.region,
    ...(photos.endpoint !== null && { endpoint: photos.endpoint, forcePathStyle: true }),
    ...(photos.credentials !== null && { credentials: photos.credentials }),
  });
}
