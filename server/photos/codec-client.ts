import type { PhotoFormat } from '#contract/photos.ts';
import { type PhotoLimits, PhotoRejected } from './objections.ts';
import type { IngestedPhoto, Size } from './rules.ts';
import { createTurns } from './turns.ts';
import { CodecAnswer, type CodecRequest } from './worker/messages.ts';
import { createWorkerProcess } from './worker/process.ts';

/** Decodes and encodes photos in processes that can be killed. */
export interface Codec {
  /**
   * Decodes the uploaded file at a path when its turn comes.
   * @param sellerId whose it is: one seller's uploads let those of others pass
   * @throws PhotoRejected for what is in the file
   * @throws WorkerEnded when decoding took too long, took too much memory, or crashed
   */
  ingest(path: string, limits: PhotoLimits, sellerId: string): Promise<IngestedPhoto>;
  /** Makes a variant of a kept picture. @throws WorkerEnded */
  makeVariant(master: Uint8Array, size: Size, format: PhotoFormat): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** What a photo may cost before the process that works on it is killed. */
export interface CodecBudget {
  /** CPU time, in milliseconds. */
  readonly cpuMs: number;
  /** Elapsed time, in milliseconds, for a process that waits instead of working. */
  readonly timeoutMs: number;
  /** Resident memory of the process, in bytes. */
  readonly memoryBytes: number;
}

/**
 * Measured with two cores: 48 megapixels of HEIC take 6 s and 420 MB, 50 of JPEG 1.5 s and 400 MB, 25 of AVIF 2 s and
 * 520 MB.
 */
export const standardBudget: CodecBudget = {
  cpuMs: 12_000,
  timeoutMs: 120_000,
  memoryBytes: 640 * 1024 * 1024,
};

/**
 * Two processes. One decodes uploads, one at a time, so that two hostile files never meet in memory. The other one makes
 * variants of pictures that the first has encoded: no upload keeps a visitor waiting for a photo.
 */
export function createCodec(budget: CodecBudget): Codec {
  const uploads = createWorkerProcess(budget);
  const variants = createWorkerProcess(budget);
  const turns = createTurns(1);

  return {
    async ingest(path, limits, sellerId) {
      const request: CodecRequest = { task: 'ingest', path, limits: { ...limits } };
      const answer = CodecAnswer.parse(await turns.run(() => uploads.call(request), sellerId));
      if (answer.outcome === 'rejected') throw new PhotoRejected(answer.objection);
      if (answer.outcome === 'ingested') return answer;
      throw new Error(answer.outcome === 'failed' ? answer.message : 'Unexpected answer');
    },
    async makeVariant(master, size, format) {
      const request: CodecRequest = { task: 'variant', master, size, format };
      const answer = CodecAnswer.parse(await variants.call(request));
      if (answer.outcome === 'encoded') return answer.bytes;
      throw new Error(answer.outcome === 'failed' ? answer.message : 'Unexpected answer');
    },
    async close() {
      await Promise.all([uploads.close(), variants.close()]);
    },
  };
}
