import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { PHOTO_FIELD, type PhotoUploaded } from '#contract/photos.ts';
import { isCurrent } from '#server/http/etag.ts';
import { refusalOf, sendProblem } from '#server/http/problems.ts';
import { Refusal } from '#server/http/refusal.ts';
import { sameSecret } from '#server/http/secret.ts';
import { createPhotoHost, type ServedVariant } from './actions.ts';
import { createQueue, createTurns } from './queue.ts';
import { type PhotoLimits, photoUrl, standardLimits, tooManyBytes } from './rules.ts';
import type { PhotoStorage } from './storage.ts';

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
  limits?: Partial<PhotoLimits>;
  /** Photos worked on at the same time. */
  running?: number;
  /** Uploads being received, waiting or worked on; each holds its bytes in memory. */
  underWay?: number;
  /** Variants being made or waiting for it; one that waits holds nothing but its name. */
  making?: number;
}

/** Boundaries and part headers around the photo, in bytes. */
const MULTIPART_OVERHEAD = 16 * 1024;

const UploadQuery = z.object({ key: z.string() });
const PhotoParams = z.object({ '*': z.string() });

/** What the multipart parser throws, in the contract's words; anything else is passed on. */
function multipartRefusal(error: unknown, limits: PhotoLimits): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error;
  if ('code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE') {
    const { code, detail } = tooManyBytes(limits);
    return new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
  }
  return new Refusal('malformed_request', 'The upload arrived incomplete or garbled. Please try it again.');
}

async function receive(request: FastifyRequest, limits: PhotoLimits): Promise<Buffer> {
  let photo: Buffer | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname === PHOTO_FIELD) photo = await part.toBuffer();
      else part.file.resume();
    }
  } catch (error) {
    throw multipartRefusal(error, limits);
  }
  if (photo === null || photo.length === 0) {
    const detail = 'Product photo is required';
    throw new Refusal('invalid_input', `${detail}.`, { errors: { [PHOTO_FIELD]: detail } });
  }
  return photo;
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

/** Refusals in the shop's words, with the `success: false` that clients of an image host look for. */
function answerRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal =
    error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? new Refusal('unsupported_media_type', 'A photo is uploaded as multipart/form-data.')
      : refusalOf(error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'a photo call failed');
  sendProblem(reply, refusal, { success: false });
}

/**
 * The built-in image host: `POST /photos?key=…` keeps a photo, `GET /photos/…` serves its variants. Register it
 * without `fastify-plugin`, so that its body parser and error handler stay its own.
 */
export async function photosPlugin(app: FastifyInstance, options: PhotosOptions): Promise<void> {
  const { origin, key, storage, authorize } = options;
  const limits: PhotoLimits = { ...standardLimits, ...options.limits };
  // Two at a time: more would take all of libuv's four threads and hold up every file that is served.
  const turns = createTurns(options.running ?? 2);
  const queue = createQueue({ turns, underWay: options.underWay ?? 16 });
  const host = createPhotoHost({
    storage,
    limits,
    making: createQueue({ turns, underWay: options.making ?? 256 }),
    arriving: options.arriving,
    report: (error) => app.log.error({ err: error }, 'a variant of a photo could not be kept'),
  });

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
    await authorize(request);
  }

  app.post('/photos', { onRequest: admit }, async (request): Promise<PhotoUploaded> => {
    if (!request.isMultipart()) {
      throw new Refusal('unsupported_media_type', 'A photo is uploaded as multipart/form-data.');
    }
    if (Number(request.headers['content-length'] ?? 0) > limits.bytes + MULTIPART_OVERHEAD) {
      const { code, detail } = tooManyBytes(limits);
      throw new Refusal(code, detail, { errors: { [PHOTO_FIELD]: detail } });
    }
    const place = queue.enter();
    if (place === null) {
      throw new Refusal(
        'busy',
        'Many photos are being uploaded right now. Please try again in a few seconds.',
      );
    }
    try {
      const photo = await host.keep(await receive(request, limits), place);
      return { success: true, data: { url: photoUrl(origin, photo) } };
    } finally {
      place.leave();
    }
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
