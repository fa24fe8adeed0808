import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { KIND_BYTES } from './headers.ts';

/** An upload that was received whole, in a file of its own until it is disposed of. */
export interface SpooledUpload extends AsyncDisposable {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** The first bytes, from which its kind is told. */
  readonly beginning: Uint8Array;
}

/** The files of uploads that are being received or worked on have reached their bound. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull';
  /** The same as of a disk that is full: it is answered the same way. */
  readonly code = 'ENOSPC';
}

export interface Spool {
  /**
   * Writes an upload to a file as it comes. A part of it is removed when it does not come to its end.
   * @throws SpoolFull
   * @throws what the stream or the file system throws
   */
  receive(upload: Readable): Promise<SpooledUpload>;
}

/** Older than any upload can be, in milliseconds: left by a process that was killed. */
const ABANDONED_AFTER = 60 * 60_000;

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER) await rm(path, { force: true });
  }
}

/**
 * Keeps uploads in files while they are received and wait for their turn, so that they hold no memory.
 * @param capacity bytes of all files together
 */
export async function openSpool(folder: string, capacity: number): Promise<Spool> {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  let used = 0;

  return {
    async receive(upload) {
      const path = join(folder, randomUUID());
      const digest = createHash('sha256');
      let beginning = Buffer.alloc(0);
      let size = 0;
      const discard = async () => {
        used -= size;
        size = 0;
        await rm(path, { force: true });
      };
      try {
        await using file = await open(path, 'wx', 0o600);
        for await (const chunk of upload) {
          const bytes: Buffer = chunk;
          size += bytes.length;
          used += bytes.length;
          if (used > capacity) throw new SpoolFull(`More than ${capacity} bytes of uploads at a time`);
          if (beginning.length < KIND_BYTES) {
            beginning = Buffer.concat([beginning, bytes.subarray(0, KIND_BYTES)]).subarray(0, KIND_BYTES);
          }
          digest.update(bytes);
          await file.writeFile(bytes);
        }
      } catch (error) {
        await discard();
        throw error;
      }
      const received = { path, size, hash: digest.digest('hex'), beginning };
      return { ...received, [Symbol.asyncDispose]: discard };
    },
  };
}
