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

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/**
 * Opens a folder in which uploads are stored while they are received and wait to be decoded, so that they hold no
 * memory. The limits of uploads in progress bound the number of files.
 */
export async function openSpool(folder: string) {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);

  return {
    /**
     * Writes an upload to a file while it is received. The file is removed if the upload fails.
     * @throws the errors of the stream and of the file system
     */
    async receive(upload: Readable): Promise<SpooledUpload> {
      const path = join(folder, randomUUID());
      const digest = createHash('sha256');
      let firstBytes = Buffer.alloc(0);
      let size = 0;
      const discard = () => rm(path, { force: true });
      try {
        await using file = await open(path, 'wx', 0o600);
        for await (const chunk of upload) {
          const bytes: Buffer = chunk;
          size += bytes.length;
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
