import type { DestinationSettings } from '../configuration/backups.ts';
import type { BackupDestination } from './destination.ts';

/** Opens a configured destination. Its errors appear at its first use. */
export async function openDestination(settings: DestinationSettings): Promise<BackupDestination> {
  if (settings.kind === 'folder') return (await import('./folder.ts')).openFolder(settings.folder);
  // The SDK uses much memory, so it is imported only when it is needed.
  return (await import('./bucket.ts')).openBucket(settings);
}
