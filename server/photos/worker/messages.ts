import * as z from 'zod/mini';
import { photoFormats } from '#contract/photos.ts';
import { rejectionCodes } from '../rejections.ts';

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Size = { width: z.int(), height: z.int() };

/** A request from the server to the codec process. */
export const CodecRequest = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('ingest'),
    /** Path of the uploaded file. */
    path: z.string(),
    limits: z.object({
      bytes: z.number(),
      pixels: z.number(),
      avifPixels: z.number(),
      pixelsPerByte: z.number(),
      scans: z.number(),
    }),
  }),
  z.object({
    task: z.literal('variant'),
    master: Bytes,
    size: z.object(Size),
    format: z.enum(photoFormats),
  }),
]);
export type CodecRequest = z.infer<typeof CodecRequest>;

/**
 * The codec process's answer. The server parses it like any untrusted input: a decoder that a hostile file has exploited
 * could send anything.
 */
export const CodecAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('ingested'),
    ...Size,
    blur: z.string().check(z.regex(/^[0-9a-f]+$/)),
    master: Bytes,
  }),
  z.object({ outcome: z.literal('encoded'), bytes: Bytes }),
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

/** A request with the id that its answer refers to. */
export const RequestEnvelope = z.object({ id: z.int(), request: z.unknown() });

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
