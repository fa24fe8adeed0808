import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { PHOTO_FIELD, type PhotoUploaded } from '#contract/photos.ts';
import { isCurrent } from '#server/http/etag.ts';
import { refusalOf, sendProblem } from '#server/http/problems.ts';
import { Refusal } from '#server/http/refusal.ts';
import { sameSecret } from '#server/http/secret.ts';
import { createPhotoHost, noRoom, refuse, type ServedVariant } from './actions.ts';
import { type CodecBudget, createCodec, standardBudget } from './codec-client.ts';
import { type PhotoLimits, standardLimits, tooManyBytes } from './objections.ts';
import { createPlaces, type Place } from './places.ts';
import { photoUrl } from './rules.ts';
import { openSpool, type Spool, type SpooledUpload } from './spool.ts';
import { type PhotoStorage, StorageProblem } from './storage.ts';
import { atMinimumRate, standardRate, type UploadRate } from './upload-rate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who uploads, once known. */
    sellerId: string;
  }
}

export interface PhotosOptions {
  /** Prepended to `/photos/…` in the URL that an upload answers; without a slash at the end. */
  origin: string;
  /** The API key that uploads carry in the query. */
  key: string;
  storage: PhotoStorage;
  /** Finds the seller who uploads. @throws Refusal when it is none */
  authorize: (request: FastifyRequest) => Promise<{ sellerId: string }>;
  /** Notes that a photo with this hash is being uploaded. @throws Refusal while the same one is being removed */
  arriving: (hash: string) => Promise<void>;
  /** Folder on a disk, not in memory, for uploads that are being received or wait to be decoded. */
  spoolFolder: string;
  limits?: Partial<PhotoLimits>;
  /** What working on one photo may cost. */
  budget?: Partial<CodecBudget>;
  /** Uploads from their first byte to their answer: all sellers' together, and one seller's. */
  places?: { total: number; perSeller: number };
  /** The slowest that an upload may be. */
  rate?: UploadRate;
  /** Variants being made or waiting for it; one that waits holds nothing but its name. */
  making?: number;
}

/** Two keep a seller's line busy while the host works on one of them. */
const standardPlaces = { total: 32, perSeller: 2 };

/** Bytes of uploads on disk at a time. */
const SPOOL_BYTES = 256 * 1024 * 1024;

/** Boundaries and part headers around the photo, in bytes. */
const MULTIPART_OVERHEAD = 16 * 1024;

const UploadQuery = z.object({ key: z.string() });
const PhotoParams = z.object({ '*': z.string() });

/** What receiving an upload throws, in the contract's words; failures of the shop's own are passed on. */
function receivingRefusal(error: unknown, limits: PhotoLimits): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE') return refuse(tooManyBytes(limits));
  const full = noRoom(error);
  // The file system names the call that failed, the parser does not.
  if (full !== null || 'syscall' in error) return full ?? error;
  return new Refusal('malformed_request', 'The upload arrived incomplete or garbled. Please try it again.');
}

async function receive(request: FastifyRequest, spool: Spool, limits: PhotoLimits): Promise<SpooledUpload> {
  let photo: SpooledUpload | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname === PHOTO_FIELD) photo = await spool.receive(part.file);
      else part.file.resume();
    }
  } catch (error) {
    await photo?.[Symbol.asyncDispose]();
    throw receivingRefusal(error, limits);
  }
  if (photo !== null && photo.size > 0) return photo;
  await photo?.[Symbol.asyncDispose]();
  const detail = 'Product photo is required';
  throw new Refusal('invalid_input', `${detail}.`, { errors: { [PHOTO_FIELD]: detail } });
}

async function serve(variant: ServedVariant, request: FastifyRequest, reply: FastifyReply) {
  reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')
    .header('etag', variant.etag);
  if (isCurrent(request.headers['if-none-match'], variant.etag)) {
    variant.stream.destroy();
    return reply.code(304).send();
  }
  reply.type(variant.contentType).header('content-length', variant.size);
  if (request.method !== 'HEAD') return reply.send(variant.stream);
  variant.stream.destroy();
  return reply.send();
}

function photoRefusalOf(error: FastifyError): Refusal {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('unsupported_media_type', 'A photo is uploaded as multipart/form-data.');
  }
  if (error instanceof StorageProblem) {
    return new Refusal(
      'busy',
      'The photos cannot be reached right now. Nothing was kept; please try again in a moment.',
    );
  }
  return refusalOf(error);
}

/** Refusals in the shop's words, with the `success: false` that clients of an image host look for. */
function answerRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = photoRefusalOf(error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'a photo call failed');
  sendProblem(reply, refusal, { success: false });
}

/**
 * The built-in image host: `POST /photos?key=…` keeps a photo, `GET /photos/…` serves its variants. Register it
 * without `fastify-plugin`, so that its body parser and error handler stay its own.
 */
export async function photosPlugin(app: FastifyInstance, options: PhotosOptions): Promise<void> {
  const { origin, key, storage, authorize, rate = standardRate } = options;
  const limits: PhotoLimits = { ...standardLimits, ...options.limits };
  const places = createPlaces(options.places ?? standardPlaces);
  const spool = await openSpool(options.spoolFolder, SPOOL_BYTES);
  const codec = createCodec({ ...standardBudget, ...options.budget });
  app.addHook('onClose', () => codec.close());
  const host = createPhotoHost({
    storage,
    limits,
    codec,
    making: options.making ?? 256,
    arriving: options.arriving,
    report: (error) => app.log.error({ err: error }, 'a photo could not be decoded or a variant not kept'),
  });

  app.decorateRequest('sellerId', '');
  app.removeAllContentTypeParsers();
  await app.register(multipart, {
    limits: { fileSize: limits.bytes, files: 1, fields: 8, fieldSize: 1024, parts: 10, headerPairs: 32 },
  });
  app.setErrorHandler(answerRefusal);

  async function admit(request: FastifyRequest): Promise<void> {
    const query = UploadQuery.safeParse(request.query);
    if (!query.success || !sameSecret(query.data.key, key)) {
      throw new Refusal('not_allowed', 'The image host does not know this API key.');
    }
    request.sellerId = (await authorize(request)).sellerId;
  }

  function enter(sellerId: string): Place {
    const place = places.enter(sellerId);
    if (place === 'seller') {
      throw new Refusal(
        'too_many_requests',
        'Other photos of yours are being uploaded. This one was not kept; please try again once they are done.',
        { retryAt: new Date(Date.now() + 5_000) },
      );
    }
    if (place === 'all') {
      throw new Refusal(
        'busy',
        'Many photos are being uploaded right now. Please try again in a few seconds.',
      );
    }
    return place;
  }

  async function receiveAtRate(request: FastifyRequest, reply: FastifyReply): Promise<SpooledUpload> {
    const receiving = receive(request, spool, limits);
    try {
      return await atMinimumRate(rate, request.raw.socket, receiving, () => {
        // Node closes the connection after the answer, but tells the body's reader nothing of it.
        reply.header('connection', 'close').raw.once('finish', () => request.raw.destroy());
        return new Refusal(
          'upload_too_slow',
          'The photo arrived too slowly and was not kept. Please try again with a better connection.',
        );
      });
    } catch (error) {
      // Should it have come whole in the meantime, nobody works on it any more.
      receiving.then(
        (late) => late[Symbol.asyncDispose](),
        () => undefined,
      );
      throw error;
    }
  }

  app.post('/photos', { onRequest: admit }, async (request, reply): Promise<PhotoUploaded> => {
    if (!request.isMultipart()) {
      throw new Refusal('unsupported_media_type', 'A photo is uploaded as multipart/form-data.');
    }
    if (Number(request.headers['content-length'] ?? 0) > limits.bytes + MULTIPART_OVERHEAD) {
      throw refuse(tooManyBytes(limits));
    }
    const { sellerId } = request;
    using _place = enter(sellerId);
    await using upload = await receiveAtRate(request, reply);
    return { success: true, data: { url: photoUrl(origin, await host.keep(upload, sellerId)) } };
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/photos/*',
    handler: async (request, reply) => {
      const params = PhotoParams.safeParse(request.params);
      const variant = params.success ? await host.open(params.data['*']) : null;
      if (variant === null) throw new Refusal('not_found', 'There is no photo at this address.');
      return serve(variant, request, reply);
    },
  });
}
