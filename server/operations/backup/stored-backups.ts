import { readFingerprints } from '#server/platform/secrets.ts';
import type { Config } from '../configuration/config.ts';
import { BackupError } from './archive.ts';
import { type RestoreCommandOptions, restoreInto, withShop } from './command-line.ts';
import { type BackupDestination, type StoredBackup, shopIdOf } from './destination.ts';
import { openDestination } from './open-destination.ts';

const units = [
  [24 * 60 * 60_000, 'day', 'days'],
  [60 * 60_000, 'hour', 'hours'],
  [60_000, 'minute', 'minutes'],
] as const;

/** The age of a backup in its largest unit, rounded down. */
function describeAge(milliseconds: number): string {
  for (const [unitMs, one, several] of units) {
    const count = Math.floor(milliseconds / unitMs);
    if (count > 0) return `${count} ${count === 1 ? one : several} old`;
  }
  return 'less than a minute old';
}

/** Describes a stored backup in one line. @param shopIds those of the configured shop; empty when they are not known */
function describeStored(
  { name, shopId, startedAt, bytes }: StoredBackup,
  shopIds: readonly string[],
  now: Date,
): string {
  const age = describeAge(now.getTime() - startedAt.getTime());
  const owner = shopIds.length === 0 || shopIds.includes(shopId) ? '' : 'of another shop, ';
  return `${name}  ${owner}${age}, ${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** @throws BackupError when none is configured; the errors of the destination */
async function withDestination<Result>(
  { backups: { to } }: Pick<Config, 'backups'>,
  work: (destination: BackupDestination) => Promise<Result>,
): Promise<Result> {
  if (to === null) {
    throw new BackupError('BACKUP_TO is not set: set it to the folder or the bucket of the backups.');
  }
  const destination = await openDestination(to);
  try {
    return await work(destination);
  } finally {
    destination.close();
  }
}

/** Lists the stored backups, newest first, as text. It needs no database. @throws BackupError, StorageError */
export function listStoredBackups(
  config: Pick<Config, 'backups' | 'secret' | 'previousSecret' | 'dataFolder'>,
  now: Date,
): Promise<string> {
  return withDestination(config, async (destination) => {
    const backups = await destination.list();
    const { secret, previousSecret, dataFolder } = config;
    const shopIds = (await readFingerprints(secret, dataFolder, previousSecret)).map(shopIdOf);
    if (backups.length === 0) return `There are no backups in ${destination.description}.`;
    const lines = backups.map((backup) => `  ${describeStored(backup, shopIds, now)}`);
    return [`In ${destination.description}, newest first:`, ...lines].join('\n');
  });
}

/** Restores a stored backup into the configured shop, or only verifies it, and prints what happens. @throws BackupError, StorageError */
export function restoreStoredBackup(name: string, options: RestoreCommandOptions): Promise<void> {
  return withShop((shop) =>
    withDestination(shop.config, async (destination) => {
      const backup = (await destination.list()).find((stored) => stored.name === name);
      if (backup === undefined) {
        throw new BackupError(
          `There is no backup ${name} in ${destination.description}. Nothing was changed; npm run admin -- backups lists them.`,
        );
      }
      await restoreInto(shop, destination.source(backup), options);
    }),
  );
}
