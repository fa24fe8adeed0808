import type { PhotoFormat } from '#contract/listings/photos.ts';
import type { PictureShape } from './codec.ts';
import { type PhotoLimits, PhotoRejected } from './photo-validation.ts';
import type { IngestedPhoto, Size } from './rules.ts';
import { CodecAnswer, type CodecRequest } from './worker/messages.ts';
import { type CodecBudget, createWorkerProcess } from './worker/process.ts';

/** Decodes and encodes photos in processes that can be killed. */
export type Codec = ReturnType<typeof createCodec>;

/**
 * Measured with two cores: 48 megapixels of HEIC take 6 s and 420 MB, 50 of JPEG 1.5 s and 400 MB, 25 of AVIF 2 s and
 * 520 MB.
 */
export const standardBudget: CodecBudget = {
  cpuMs: 12_000,
  timeoutMs: 120_000,
  memoryBytes: 640 * 1024 * 1024,
};

const isOf = <Outcome extends CodecAnswer['outcome']>(
  answer: CodecAnswer,
  outcome: Outcome,
): answer is Extract<CodecAnswer, { outcome: Outcome }> => answer.outcome === outcome;

/**
 * Uses two processes. One decodes uploads: one at a time, so that two hostile files are never in memory together. The
 * other makes variants of master images that the first has encoded, so that no upload delays a page's photos.
 */
export function createCodec(budget: CodecBudget) {
  const uploads = createWorkerProcess(budget);
  const variants = createWorkerProcess(budget);

  /**
   * @throws PhotoRejected for the file's content
   * @throws WorkerEnded when it took too long, took too much memory, or crashed
   */
  async function call<Outcome extends CodecAnswer['outcome']>(
    worker: typeof uploads,
    request: CodecRequest,
    expected: Outcome,
  ): Promise<Extract<CodecAnswer, { outcome: Outcome }>> {
    const answer = CodecAnswer.parse(await worker.call(request));
    if (answer.outcome === 'rejected') throw new PhotoRejected(answer.rejection);
    if (isOf(answer, expected)) return answer;
    throw new Error(answer.outcome === 'failed' ? answer.message : 'Unexpected answer');
  }

  return {
    /** Decodes the uploaded file at a path. The caller waits for each file before the next. */
    ingest: (path: string, limits: PhotoLimits): Promise<IngestedPhoto> =>
      call(uploads, { task: 'ingest', path, limits }, 'ingested'),
    /** Makes a variant of a stored master image. */
    makeVariant: async (master: Uint8Array, size: Size, format: PhotoFormat): Promise<Uint8Array> =>
      (await call(variants, { task: 'variant', master, size, format }, 'encoded')).bytes,
    /** Encodes an uploaded picture of the shop anew. */
    encodePicture: (bytes: Uint8Array, limits: PhotoLimits, shape: PictureShape) =>
      call(uploads, { task: 'picture', bytes, limits, shape }, 'picture'),
    async close(): Promise<void> {
      await Promise.all([uploads.close(), variants.close()]);
    },
  };
}
