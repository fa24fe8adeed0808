import type { KeepRule } from './configuration.ts';
import type { BackupState } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The longest time between two attempts. */
const MAXIMUM_BACK_OFF_MS = HOUR_MS;

/** The name of a backup, without the extension of its files. Names are ordered by time. */
const backupName = /^coomercio-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-([0-9a-f]{8})$/;

/**
 * The id of a shop in the names of its backups. It follows from the secret: a restored shop has the same one, another shop
 * does not.
 */
export const shopIdOf = (secretFingerprint: string): string => secretFingerprint.slice(0, 8);

/** Names a backup. @param startedAt its beginning; it contains what was committed before */
export function nameOf(startedAt: Date, shopId: string): string {
  return `coomercio-${startedAt.toISOString().replace(/[-:.]/g, '')}-${shopId}`;
}

/** Parses a backup's name; null for other names. */
export function parseName(name: string): { startedAt: Date; shopId: string } | null {
  const found = backupName.exec(name);
  if (found === null) return null;
  const [, year, month, day, hours, minutes, seconds, milliseconds, shopId = ''] = found;
  const startedAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return { startedAt, shopId };
}

/** The time of a failed run's next attempt after the failure. @param failures those in a row, this one included */
export function backOffMs(failures: number, everyMs: number): number {
  if (failures < 1) return 0;
  return Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, 10), MAXIMUM_BACK_OFF_MS, everyMs);
}

/** What periodic backups have to do now: a backup with its verification, the verification of the last one, or nothing. */
export function dueStep(
  { last, verification, retryAt }: Pick<BackupState, 'last' | 'verification' | 'retryAt'>,
  everyMs: number,
  now: Date,
): 'backup' | 'verification' | null {
  if (retryAt !== null && retryAt > now) return null;
  // A backup comes first: it must not wait for a verification that fails for another reason, such as a full disk.
  if (last === null || verification?.outcome === 'failed') return 'backup';
  if (last.at.getTime() + everyMs <= now.getTime()) return 'backup';
  return verification === null ? 'verification' : null;
}

/**
 * Whether admins must be told that the last usable backup is older than twice the interval. Right after a start the missed
 * backup is made first, unless it fails.
 * @param startedAt when this process started
 */
export function isOverdue(
  { lastUsableAt, expectedSince, failures }: Pick<BackupState, 'lastUsableAt' | 'expectedSince' | 'failures'>,
  everyMs: number,
  { now, startedAt }: { now: Date; startedAt: Date },
): boolean {
  if (expectedSince === null) return false;
  const since = Math.max(lastUsableAt?.getTime() ?? 0, expectedSince.getTime());
  if (now.getTime() - since <= 2 * everyMs) return false;
  return failures > 0 || now.getTime() - startedAt.getTime() > Math.min(everyMs, HOUR_MS);
}

/** What the rule of keeping knows about a stored backup. */
export interface KeptBackup {
  name: string;
  startedAt: Date;
  verification: { outcome: 'passed' | 'failed' | 'not_done' } | null;
}

const hourOf = (date: Date) => Math.floor(date.getTime() / HOUR_MS);
/** The number of the UTC day since 1970. */
const dayOf = (date: Date) => Math.floor(date.getTime() / DAY_MS);
/** The number of the week, from Monday; 1970-01-01 was a Thursday. */
const weekOf = (date: Date) => Math.floor((dayOf(date) + 3) / 7);
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

/**
 * Chooses the backups that are no longer kept. Kept are the newest of each of the last hours, days, weeks and months of the
 * rule that have a backup (UTC, weeks from Monday), and the newest of all. A backup that failed its verification takes the place
 * of no other one, and is kept only as the newest.
 * @returns their names, oldest first
 */
export function backupsToRemove(backups: readonly KeptBackup[], keep: KeepRule): string[] {
  const newestFirst = backups.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  const usable = newestFirst.filter(({ verification }) => verification?.outcome !== 'failed');
  const kept = new Set([newestFirst[0]?.name, usable[0]?.name]);
  const rules = [
    [keep.hours, hourOf],
    [keep.days, dayOf],
    [keep.weeks, weekOf],
    [keep.months, monthOf],
  ] as const;
  for (const [count, periodOf] of rules) {
    const periods = new Set<number>();
    for (const { name, startedAt } of usable) {
      const period = periodOf(startedAt);
      if (periods.has(period)) continue;
      if (periods.size === count) break;
      periods.add(period);
      kept.add(name);
    }
  }
  return newestFirst
    .map(({ name }) => name)
    .filter((name) => !kept.has(name))
    .reverse();
}
