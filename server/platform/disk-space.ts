import { statfs } from 'node:fs/promises';

/**
 * What uploads and backups leave free, in bytes: PostgreSQL stops when the disk of its data is full, and its write-ahead log alone
 * takes 1 GB (`max_wal_size`).
 */
export const RESERVED_BYTES = 2 * 1024 ** 3;

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/** Reads the space of the disk on which a folder is. @throws the errors of the file system */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
