import * as z from 'zod/mini';
import type { PhotoFormat } from '#contract/listings/photos.ts';
import type { PictureShape } from '../codec.ts';
import { THUMBNAIL_SIZE } from '../fingerprint.ts';
import { type PhotoLimits, rejectionCodes } from '../photo-validation.ts';
import type { Size } from '../rules.ts';

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A request from the server to the codec process. `path` is that of the uploaded file. */
export type CodecRequest =
  | { task: 'ingest'; path: string; limits: PhotoLimits }
  | { task: 'variant'; master: Uint8Array; size: Size; format: PhotoFormat }
  | { task: 'picture'; bytes: Uint8Array; limits: PhotoLimits; shape: PictureShape };

/**
 * The codec process's answer. The server parses it like any untrusted input: a decoder that a hostile file has exploited
 * could send anything.
 */
export const CodecAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('ingested'),
    width: z.int(),
    height: z.int(),
    blur: z.string().check(z.regex(/^[0-9a-f]+$/)),
    thumbnail: Bytes.check(z.refine((bytes) => bytes.length === THUMBNAIL_SIZE ** 2)),
    master: Bytes,
  }),
  z.object({ outcome: z.literal('encoded'), bytes: Bytes }),
  z.object({ outcome: z.literal('picture'), width: z.int(), height: z.int(), bytes: Bytes }),
  z.object({
    outcome: z.literal('rejected'),
    rejection: z.object({
      code: z.enum(rejectionCodes),
      detail: z.string().check(z.maxLength(300)),
    }),
  }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
]);
export type CodecAnswer = z.infer<typeof CodecAnswer>;

/** A request with the id that its answer refers to. The server sends it, so its content is trusted. */
export const RequestEnvelope = z.object({ id: z.int(), request: z.custom<CodecRequest>() });

/** A message from the codec process: that it accepts requests, or an answer to one. */
export const WorkerMessage = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({
    id: z.int(),
    answer: z.unknown(),
    /** Whether the process uses so much memory that it should be replaced. */
    retire: z.boolean(),
  }),
]);
export type WorkerMessage = z.infer<typeof WorkerMessage>;
