import { HOUR_MS, MINUTE_MS } from '#contract/platform/durations.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { StoredBackup } from './destination.ts';
import type { BackupState } from './store.ts';

/** The longest time between two attempts. */
const MAXIMUM_BACK_OFF_MS = HOUR_MS;

/** The time between two backups in milliseconds; null when the settings say that none are made. */
export const backupInterval = ({ backups: { everyHours } }: Pick<ShopSettings, 'backups'>): number | null =>
  everyHours === null ? null : everyHours * HOUR_MS;

/** How long after its beginning a run that failed is attempted again. @param failures those in a row */
function backOffMs(failures: number, everyMs: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, 10), MAXIMUM_BACK_OFF_MS, everyMs);
}

/** Whether a backup is to be made now. A run that was killed is one that failed. */
export function isDue(
  { last_at, attempted_at, failures }: Pick<BackupState, 'last_at' | 'attempted_at' | 'failures'>,
  everyMs: number,
  now: Date,
): boolean {
  if (failures > 0 && attempted_at !== null) {
    return attempted_at.getTime() + backOffMs(failures, everyMs) <= now.getTime();
  }
  return last_at === null || last_at.getTime() + everyMs <= now.getTime();
}

/**
 * Whether admins must be told that the last usable backup is older than twice the interval. Right after a start the missed
 * backup is made first, unless it fails.
 * @param startedAt when this process started
 */
export function isOverdue(
  { last_at, expected_since, failure }: Pick<BackupState, 'last_at' | 'expected_since' | 'failure'>,
  everyMs: number,
  { now, startedAt }: { now: Date; startedAt: Date },
): boolean {
  if (expected_since === null) return false;
  const since = Math.max(last_at?.getTime() ?? 0, expected_since.getTime());
  if (now.getTime() - since <= 2 * everyMs) return false;
  return failure !== null || now.getTime() - startedAt.getTime() > Math.min(everyMs, HOUR_MS);
}

/**
 * Chooses the backups that are no longer kept: all but the newest.
 * @param backups of any shop, newest first
 * @param shopIds those of this shop; backups of others are never removed
 * @param keep how many stay
 */
export function backupsToRemove(
  backups: readonly StoredBackup[],
  shopIds: readonly string[],
  keep: number,
): string[] {
  return backups
    .filter(({ shopId }) => shopIds.includes(shopId))
    .slice(keep)
    .map(({ name }) => name);
}
