import type { BackupDestination } from './configuration.ts';
import type { BackupPlace } from './place.ts';

/** Opens a configured place. Errors of the place appear at its first use. */
export async function openPlace(destination: BackupDestination): Promise<BackupPlace> {
  if (destination.kind === 'folder') {
    const { openFolder } = await import('./folder-place.ts');
    return openFolder(destination.folder);
  }
  // The SDK uses much memory, so it is imported only when it is needed.
  const { openBucket } = await import('./bucket-place.ts');
  return openBucket(destination);
}
