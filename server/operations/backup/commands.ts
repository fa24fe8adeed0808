import { existsSync } from 'node:fs';
import { adoptFolder } from '#server/listings/photos/own-folder.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { withDatabase } from '#server/platform/database/connect.ts';
import { operatorCommand, operatorPath } from '#server/platform/operator-command.ts';
import { fingerprintOf, openSecrets, readFingerprints, secretFilePath } from '#server/platform/secrets.ts';
import { type Config, openConfig } from '../configuration/config.ts';
import { withPostgres } from '../configuration/database.ts';
import { openPhotoStorage, photoFolder } from '../configuration/providers.ts';
import { type ArchiveSource, archiveFile, BackupError, type Manifest } from './archive.ts';
import { createBackupFile } from './backup.ts';
import {
  type BackupDestination,
  EXTENSION,
  isBackupName,
  type StoredBackup,
  shopIdOf,
} from './destination.ts';
import { openDestination } from './open-destination.ts';
import { restore } from './restore.ts';
import { verifyBackup } from './verify.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A shop that is opened for a command. */
interface OpenedShop {
  config: Config;
  photos: PhotoStorage | null;
  connectionString: string;
}

/** Runs `work` with the configured shop. */
async function withShop<Result>(work: (shop: OpenedShop) => Promise<Result>): Promise<Result> {
  const config = await openConfig(process.env);
  const photos = await openPhotoStorage(config);
  return withPostgres(config, print, (connectionString) => work({ config, photos, connectionString }));
}

const counted = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`;

function describeBackup({ tables, photos }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const files =
    photos === null ? 'no photos (another host keeps them)' : `${counted(photos, 'file', 'files')} of photos`;
  return `${rows} rows of ${tables.length} tables and ${files}`;
}

/** Prints the first of the photos that the storage had lost. @returns whether there are any */
function printMissingPhotos({ missingPhotos: { count, first } }: Manifest, remark: string): boolean {
  if (count === 0) return false;
  const missing = counted(count, 'photo that laptops show is', 'photos that laptops show are');
  console.error(`${missing} missing (${first[0]}${count === 1 ? '' : ' and others'}) ${remark}`);
  return true;
}

/**
 * Makes a backup of the configured shop in a file, and prints what it contains.
 * @returns whether it has all photos that laptops show, and how to store it
 * @throws BackupError, StorageError
 */
export function backUpTo(file: string): Promise<{ isComplete: boolean; message: string }> {
  return withShop(async ({ config, photos, connectionString }) => {
    const { fingerprint } = await openSecrets(config.secret, config.dataFolder);
    const secretFile = config.secret === null ? secretFilePath(config.dataFolder) : null;
    const source = { connectionString, photos, secretFile, secretFingerprint: fingerprint };
    const path = operatorPath(file);
    const manifest = await createBackupFile(source, path);
    print(`Backed up ${describeBackup(manifest)} to ${path}.`);
    const remark = `from ${photos?.description}; the backup lacks what is missing.`;
    const lacksPhotos = printMissingPhotos(manifest, remark);
    const message =
      secretFile === null
        ? 'It can only be restored with the same COOMERCIO_SECRET: store that separately.'
        : 'It holds the shop’s secret and its people’s data: keep it where only you can read it.';
    return { isComplete: !lacksPhotos, message };
  });
}

/** At most one of them is set. */
export interface RestoreCommandOptions {
  /** Whether existing data may be overwritten. */
  replace: boolean;
  /** Whether the backup is only restored into a scratch database. */
  verify: boolean;
}

async function restoreInto(
  { config, photos, connectionString }: OpenedShop,
  source: ArchiveSource,
  { replace, verify }: RestoreCommandOptions,
): Promise<void> {
  print(`Checking ${source.name} before anything is written.`);
  const configuredFingerprint = config.secret === null ? null : fingerprintOf(config.secret);
  const shop = { connectionString, origin: config.origin, configuredFingerprint };
  const target = { ...shop, photos, secretFile: secretFilePath(config.dataFolder) };
  const manifest = verify ? await verifyBackup(source, shop) : await restore(target, source, { replace });
  // The photos are here now, wherever those of this database were before.
  if (!verify && config.photos.kind === 'disk') {
    await withDatabase(connectionString, (database) => adoptFolder(database, photoFolder(config.dataFolder)));
  }
  print(
    verify
      ? `Verified ${describeBackup(manifest)} of ${source.name} by a restore into another database. The shop was not changed.`
      : `Restored ${describeBackup(manifest)} from ${source.name}.`,
  );
  printMissingPhotos(manifest, 'since before the backup was made.');
}

/**
 * Restores a backup into the configured shop, or only verifies it, and prints what happens.
 * @param backup a file, or the name of a stored one, also with its extension
 * @throws BackupError, StorageError
 */
export function restoreBackup(backup: string, options: RestoreCommandOptions): Promise<void> {
  return withShop((shop) => {
    const name = backup.endsWith(EXTENSION) ? backup.slice(0, -EXTENSION.length) : backup;
    const isFile = backup.includes('/') || existsSync(operatorPath(backup));
    // Without a destination, a mistyped name is rather that of a file.
    if (isFile || (shop.config.backupDestination === null && !isBackupName(name))) {
      return restoreInto(shop, archiveFile(operatorPath(backup)), options);
    }
    return withDestination(shop.config, async (destination) => {
      const stored = (await destination.list()).find((each) => each.name === name);
      if (stored === undefined) {
        throw new BackupError(
          `There is no backup ${name} in ${destination.description}. Nothing was changed; ${operatorCommand('admin', 'backups')} lists them.`,
        );
      }
      await restoreInto(shop, destination.source(stored), options);
    });
  });
}

/** @throws BackupError when none is configured; the errors of the destination */
async function withDestination<Result>(
  { backupDestination }: Pick<Config, 'backupDestination'>,
  work: (destination: BackupDestination) => Promise<Result>,
): Promise<Result> {
  if (backupDestination === null) {
    throw new BackupError('BACKUP_TO is not set: set it to the folder or the bucket of the backups.');
  }
  const destination = await openDestination(backupDestination);
  try {
    return await work(destination);
  } finally {
    destination.close();
  }
}

/** The age of a backup in its largest unit, rounded down. */
function describeAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes === 0) return 'less than a minute old';
  if (minutes < 60) return `${counted(minutes, 'minute', 'minutes')} old`;
  const hours = Math.floor(minutes / 60);
  return `${hours < 24 ? counted(hours, 'hour', 'hours') : counted(Math.floor(hours / 24), 'day', 'days')} old`;
}

/** Lists the stored backups, newest first, as text. It needs no database. @throws BackupError, StorageError */
export function listStoredBackups(
  config: Pick<Config, 'backupDestination' | 'secret' | 'previousSecret' | 'dataFolder'>,
  now: Date,
): Promise<string> {
  return withDestination(config, async (destination) => {
    const backups = await destination.list();
    const { secret, previousSecret, dataFolder } = config;
    const shopIds = (await readFingerprints(secret, dataFolder, previousSecret)).map(shopIdOf);
    if (backups.length === 0) return `There are no backups in ${destination.description}.`;
    const lines = backups.map(({ name, shopId, startedAt, bytes }: StoredBackup) => {
      const owner = shopIds.length === 0 || shopIds.includes(shopId) ? '' : 'of another shop, ';
      const age = describeAge(now.getTime() - startedAt.getTime());
      return `  ${name}  ${owner}${age}, ${(bytes / 1_000_000).toFixed(1)} MB`;
    });
    return [`In ${destination.description}, newest first:`, ...lines].join('\n');
  });
}
