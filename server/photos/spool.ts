import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { removeAbandoned } from './disk-layout.ts';
import { SIGNATURE_BYTES } from './image-headers.ts';

/** A completely received upload, in a file that is removed when this is disposed of. */
export interface SpooledUpload extends AsyncDisposable {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** The first {@link SIGNATURE_BYTES} bytes, from which the file's kind is detected. */
  readonly firstBytes: Uint8Array;
}

/** Thrown when the spooled files exceed the spool's capacity. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull';
  /** The code of a full disk, so that both get the same refusal. */
  readonly code = 'ENOSPC';
}

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/**
 * Opens a folder in which uploads are stored while they are received and wait to be decoded, so that they hold no
 * memory.
 * @param capacity bytes of all files together
 */
export async function openSpool(folder: string, capacity: number) {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  let used = 0;

  return {
    /**
     * Writes an upload to a file while it is received. The file is removed if the upload fails.
     * @throws SpoolFull, and the errors of the stream and of the file system
     */
    async receive(upload: Readable): Promise<SpooledUpload> {
      const path = join(folder, randomUUID());
      const digest = createHash('sha256');
      let firstBytes = Buffer.alloc(0);
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
          if (firstBytes.length < SIGNATURE_BYTES) {
            firstBytes = Buffer.concat([firstBytes, bytes.subarray(0, SIGNATURE_BYTES)]).subarray(
              0,
              SIGNATURE_BYTES,
            );
          }
          digest.update(bytes);
          await file.writeFile(bytes);
        }
      } catch (error) {
        await discard();
        throw error;
      }
      const received = { path, size, hash: digest.digest('hex'), firstBytes };
      return { ...received, [Symbol.asyncDispose]: discard };
    },
  };
}
