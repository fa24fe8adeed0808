import { readFingerprints } from '#server/platform/secrets.ts';
import type { Config } from '../configuration/config.ts';
import { BackupError } from './archive.ts';
import { restoreInto, withShop } from './command-line.ts';
import { openPlace } from './open-place.ts';
import type { BackupPlace, StoredBackup, Verification } from './place.ts';
import { shopIdOf } from './rules.ts';

const outcomes: Readonly<Record<Verification['outcome'], string>> = {
  passed: 'verified by a restore',
  failed: 'FAILED its verification',
  not_done: 'not verified',
};

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
  { name, shopId, startedAt, bytes, verification }: StoredBackup,
  shopIds: readonly string[],
  now: Date,
): string {
  const age = describeAge(now.getTime() - startedAt.getTime());
  const outcome = verification === null ? 'not verified yet' : outcomes[verification.outcome];
  const detail = verification?.detail == null ? '' : `. ${verification.detail}`;
  const owner = shopIds.length === 0 || shopIds.includes(shopId) ? '' : 'of another shop, ';
  return `${name}  ${owner}${age}, ${(bytes / 1_000_000).toFixed(1)} MB, ${outcome}${detail}`;
}

/** @throws BackupError when no place is configured; the errors of the place */
async function withPlace<Result>(
  { backups: { to } }: Pick<Config, 'backups'>,
  work: (place: BackupPlace) => Promise<Result>,
): Promise<Result> {
  if (to === null) {
    throw new BackupError('BACKUP_TO is not set: set it to the folder or the bucket of the backups.');
  }
  const place = await openPlace(to);
  try {
    return await work(place);
  } finally {
    place.close();
  }
}

/** Lists the stored backups, newest first, as text. It needs no database. @throws BackupError, StorageError */
export function listStoredBackups(
  config: Pick<Config, 'backups' | 'secret' | 'previousSecret' | 'dataFolder'>,
  now: Date,
): Promise<string> {
  return withPlace(config, async (place) => {
    const backups = await place.list();
    const { secret, previousSecret, dataFolder } = config;
    const shopIds = (await readFingerprints(secret, dataFolder, previousSecret)).map(shopIdOf);
    if (backups.length === 0) return `There are no backups in ${place.description}.`;
    const lines = backups.map((backup) => `  ${describeStored(backup, shopIds, now)}`);
    return [`In ${place.description}, newest first:`, ...lines].join('\n');
  });
}

/** Restores a stored backup into the configured shop, and prints what happens. @throws BackupError, StorageError */
export function restoreStoredBackup(name: string, replace: boolean): Promise<void> {
  return withShop((shop) =>
    withPlace(shop.config, async (place) => {
      const backup = (await place.list()).find((stored) => stored.name === name);
      if (backup === undefined) {
        throw new BackupError(
          `There is no backup ${name} in ${place.description}. Nothing was changed; npm run admin -- backups lists them.`,
        );
      }
      await restoreInto(shop, place.source(backup), replace);
    }),
  );
}
