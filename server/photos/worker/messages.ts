import * as z from 'zod/mini';
import { photoFormats } from '#contract/photos.ts';
import { objectionCodes } from '../objections.ts';

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Size = { width: z.int(), height: z.int() };

/** What the server asks of the process that decodes photos. */
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
 * What that process answers. The server parses it like any foreign input: a decoder that was taken over by a hostile
 * file could send anything.
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
    objection: z.object({
      code: z.enum(objectionCodes),
      detail: z.string().check(z.maxLength(300)),
    }),
  }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
]);
export type CodecAnswer = z.infer<typeof CodecAnswer>;

/** The envelope around a request. */
export const Numbered = z.object({ id: z.int(), request: z.unknown() });

/** What a worker process sends: that it can take requests, or an answer to one. */
export const WorkerMessage = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({
    id: z.int(),
    answer: z.unknown(),
    /** Whether the process holds much memory and should be replaced. */
    retire: z.boolean(),
  }),
]);
export type WorkerMessage = z.infer<typeof WorkerMessage>;
