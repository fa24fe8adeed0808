import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import { fingerprintOf, secretFilePath } from '#server/platform/secrets.ts';
import { type Config, readConfig } from '../configuration/config.ts';
import { openPhotoStorage } from '../configuration/providers.ts';
import type { BackupSummary } from './backup.ts';
import type { PhotoProgress } from './export-photos.ts';
import { tablePreparation } from './prepare-tables.ts';
import type { ArchiveSource } from './read-archive.ts';
import { restore } from './restore.ts';

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Minimum time between two progress lines. */
const PROGRESS_INTERVAL_MS = 3_000;

export function createProgressReporter(activity: string): PhotoProgress {
  let lastPrinted = Date.now();
  return (done, total) => {
    if (Date.now() - lastPrinted < PROGRESS_INTERVAL_MS) return;
    lastPrinted = Date.now();
    print(`${activity} photos: ${done} of ${total}.`);
  };
}

/** A shop that is opened for a command. */
export interface OpenedShop {
  config: Config;
  dataFolder: string;
  photos: PhotoStorage | null;
  connectionString: string;
}

/** Runs `work` with the configured shop. An embedded database is started for it. */
export async function withShop<Result>(work: (shop: OpenedShop) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env);
  await mkdir(config.dataFolder, { recursive: true });
  const dataFolder = await realpath(config.dataFolder);
  const photos = await openPhotoStorage({ photos: config.photos, dataFolder });
  const shop = { config, dataFolder, photos };
  const configured = config.databaseDirectUrl ?? config.databaseUrl;
  if (configured !== null) return work({ ...shop, connectionString: configured });
  const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), log: print });
  try {
    return await work({ ...shop, connectionString: postgres.connectionString });
  } finally {
    await postgres.stop();
  }
}

export function describeBackup({ tables, rows, photos, bytes }: BackupSummary): string {
  const files =
    photos === null
      ? 'no photos (another host keeps them)'
      : `${photos} ${photos === 1 ? 'file' : 'files'} of photos`;
  return `${rows} rows of ${tables} tables and ${files} (${(bytes / 1_000_000).toFixed(1)} MB)`;
}

export function describeMissingPhotos({
  missingPhotos: { count, first },
}: Pick<BackupSummary, 'missingPhotos'>): string {
  return count === 1
    ? `1 photo that laptops show is missing (${first[0]})`
    : `${count} photos that laptops show are missing (${first[0]} and others)`;
}

/** Restores an archive into a shop, and prints what happens. @throws BackupError, StorageError */
export async function restoreInto(
  { config, dataFolder, photos, connectionString }: OpenedShop,
  source: ArchiveSource,
  replace: boolean,
): Promise<void> {
  print(`Checking ${source.name} before anything is written.`);
  const summary = await restore(
    {
      connectionString,
      photos,
      secretFile: secretFilePath(dataFolder),
      configuredFingerprint: config.secret === null ? null : fingerprintOf(config.secret),
      fingerprintOf,
      ...tablePreparation(connectionString, config.origin),
    },
    source,
    { replace, onProgress: createProgressReporter('Writing'), report: print },
  );
  print(`Restored ${describeBackup(summary)} from ${source.name}.`);
  if (summary.missingPhotos.count > 0) {
    console.error(`${describeMissingPhotos(summary)} since before the backup was made.`);
  }
}
