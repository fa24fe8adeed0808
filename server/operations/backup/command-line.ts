import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import { fingerprintOf, secretFilePath } from '#server/platform/secrets.ts';
import { type Config, readConfig } from '../configuration/config.ts';
import { openPhotoStorage } from '../configuration/providers.ts';
import type { Manifest } from './archive.ts';
import type { PhotoProgress } from './photos.ts';
import type { ArchiveSource } from './read-archive.ts';
import { restore } from './restore.ts';
import { verifyBackup } from './verify.ts';

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

export function describeBackup({ tables, photos }: Pick<Manifest, 'tables' | 'photos'>): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const files =
    photos === null
      ? 'no photos (another host keeps them)'
      : `${photos} ${photos === 1 ? 'file' : 'files'} of photos`;
  return `${rows} rows of ${tables.length} tables and ${files}`;
}

export function describeMissingPhotos({
  missingPhotos: { count, first },
}: Pick<Manifest, 'missingPhotos'>): string {
  return count === 1
    ? `1 photo that laptops show is missing (${first[0]})`
    : `${count} photos that laptops show are missing (${first[0]} and others)`;
}

/** At most one of them is set. */
export interface RestoreCommandOptions {
  /** Whether existing data may be overwritten. */
  replace: boolean;
  /** Whether the backup is only restored into a scratch database. */
  verify: boolean;
}

/** Restores an archive into a shop, or only verifies it, and prints what happens. @throws BackupError, StorageError */
export async function restoreInto(
  { config, dataFolder, photos, connectionString }: OpenedShop,
  source: ArchiveSource,
  { replace, verify }: RestoreCommandOptions,
): Promise<void> {
  print(`Checking ${source.name} before anything is written.`);
  const shop = {
    connectionString,
    origin: config.origin,
    configuredFingerprint: config.secret === null ? null : fingerprintOf(config.secret),
  };
  const onProgress = createProgressReporter(verify ? 'Reading' : 'Writing');
  const manifest = verify
    ? await verifyBackup(source, shop, { onProgress })
    : await restore({ ...shop, photos, secretFile: secretFilePath(dataFolder) }, source, {
        replace,
        onProgress,
      });
  print(
    verify
      ? `Verified ${describeBackup(manifest)} of ${source.name} by a restore into another database. The shop was not changed.`
      : `Restored ${describeBackup(manifest)} from ${source.name}.`,
  );
  if (manifest.missingPhotos.count > 0) {
    console.error(`${describeMissingPhotos(manifest)} since before the backup was made.`);
  }
}
