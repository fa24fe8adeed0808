import type { Readable } from 'node:stream';
import type { ArchiveSource } from './archive.ts';

/** A complete backup in a folder or a bucket. */
export interface StoredBackup {
  name: string;
  /** The shop that made it; several shops may use one destination. */
  shopId: string;
  /** When it was begun: it contains what was committed before. */
  startedAt: Date;
  bytes: number;
}

/** Where backups are stored. */
export interface BackupDestination {
  /** Names the destination in messages. */
  readonly description: string;
  /** Stores a backup, whose name must be new. It becomes visible when it is complete. */
  write(name: string, content: Readable): Promise<void>;
  /** Lists the complete backups, newest first. */
  list(): Promise<StoredBackup[]>;
  /** Returns a backup to read; errors appear when it is read. */
  source(backup: Pick<StoredBackup, 'name' | 'bytes'>): ArchiveSource;
  /** Removes a backup, or what an interrupted write has left of it. */
  remove(name: string): Promise<void>;
  /** Closes connections. */
  close(): void;
}

/** How often an interrupted read is tried. */
const ATTEMPTS = 3;

/** Reads again what was interrupted. @throws the error of the last attempt */
export async function withRetries<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** The extension of backups. */
export const EXTENSION = '.tar';

/** The name of a backup, without its extension. Names are ordered by time. */
const backupName = /^coomercio-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-([0-9a-f]{8})$/;

export const isBackupName = (text: string): boolean => backupName.test(text);

/**
 * The id of a shop in the names of its backups. It follows from the secret: a restored shop has the same one, another shop
 * does not.
 */
export const shopIdOf = (secretFingerprint: string): string => secretFingerprint.slice(0, 8);

/** Names a backup. @param startedAt its beginning; it contains what was committed before */
export function nameOf(startedAt: Date, shopId: string): string {
  return `coomercio-${startedAt.toISOString().replace(/[-:.]/g, '')}-${shopId}`;
}

/** Describes a stored file; null when it is not a backup. */
export function parseFile(file: string, bytes: number): StoredBackup | null {
  const name = file.slice(0, -EXTENSION.length);
  const found = file.endsWith(EXTENSION) ? backupName.exec(name) : null;
  if (found === null) return null;
  const [, year, month, day, hours, minutes, seconds, milliseconds, shopId = ''] = found;
  const startedAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return { name, shopId, startedAt, bytes };
}

export const newestFirst = (backups: StoredBackup[]): StoredBackup[] =>
  backups.sort((one, other) => (one.name < other.name ? 1 : -1));
