import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { ArchiveSource } from './read-archive.ts';

/** The outcome of a verification; `detail` says why it failed or was not done, or what the backup lacks. */
export const Verification = z.object({
  outcome: z.enum(['passed', 'failed', 'not_done']),
  at: z.iso.datetime(),
  detail: z.nullable(z.string()),
});
export type Verification = z.infer<typeof Verification>;

/** A complete backup in a folder or a bucket. */
export interface StoredBackup {
  name: string;
  /** The shop that made it; several shops may use one place. */
  shopId: string;
  /** When it was begun: it contains what was committed before. */
  startedAt: Date;
  bytes: number;
  /** Null when it was not verified yet. */
  verification: Verification | null;
}

/** Where periodic backups are stored. Only complete backups are listed. */
export interface BackupPlace {
  /** Names the place in messages. */
  readonly description: string;
  /** Stores a backup, whose name must be new. It becomes visible when it is complete. @returns its size in bytes */
  write(name: string, content: Readable): Promise<number>;
  /** Records the outcome of a verification beside the backup. */
  recordVerification(name: string, verification: Verification): Promise<void>;
  /** Lists the complete backups, newest first. */
  list(): Promise<StoredBackup[]>;
  /** Returns a backup to read; errors appear when it is read. */
  source(backup: StoredBackup): ArchiveSource;
  /** Removes a backup. A killed removal leaves a whole backup or an incomplete one. */
  remove(name: string): Promise<void>;
  /**
   * Removes the leftovers of interrupted writes and removals. No other process of the same shop may write meanwhile.
   * @param shopIds those of the shop; leftovers of others may be backups that are being written
   */
  removeIncomplete(shopIds: readonly string[]): Promise<void>;
  /** Closes connections. */
  close(): void;
}
