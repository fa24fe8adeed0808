import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { PHOTO_FIELD, type PhotoUploaded } from '#contract/listings/photos.ts';
import { ipPrefixes, shareFactor } from '#contract/platform/ip-prefixes.ts';
import { matchesEtag } from '#server/platform/http/etag.ts';
import { isSameSecret } from '#server/platform/http/guard.ts';
import { refusalFromError, sendProblem } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { createSlots } from '#server/platform/http/slots.ts';
import { isPrivatePhoto, type PhotoLinks } from '../photo-links.ts';
import {
  createPhotoHost,
  type DecodingRoom,
  type PhotoHostDependencies,
  type ServedVariant,
  standardDecodingRoom,
  standardVariantRoom,
  storageFullRefusal,
  toRefusal,
  type VariantRoom,
} from './actions.ts';
import { createCodec, standardBudget } from './codec-client.ts';
import { type PhotoLimits, standardLimits, tooManyBytes, tooManyUploads } from './photo-validation.ts';
import { photoUrl } from './rules.ts';
import { openSpool, type Spool, type SpooledUpload } from './spool.ts';
import { StorageError } from './storage.ts';
import { standardUploadRate, type UploadRate, withMinimumRate } from './upload-rate.ts';
import type { CodecBudget } from './worker/process.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication. */
    uploader: Uploader | null;
  }
}

/** The user who uploads a photo. */
export interface Uploader {
  uploaderId: string;
  /** Records a private photo by its stored form; null for a public one. @throws Refusal */
  keepPrivate: ((photo: string) => Promise<void>) | null;
}

export interface PhotosOptions
  extends Pick<PhotoHostDependencies, 'storage' | 'registerUpload' | 'recordDecoded'> {
  /** Makes and checks the addresses of private photos. */
  links: Pick<PhotoLinks, 'isValid'>;
  /** Prepended to `/photos/…` in the URL that an upload returns; without a trailing slash. */
  origin: string;
  /** The API key that uploads send in the query. */
  key: string;
  /** Identifies the user who uploads. @throws Refusal for anybody else */
  authorize: (request: FastifyRequest) => Promise<Uploader>;
  /** A folder on disk, not in memory, for uploads that are being received or wait to be decoded. */
  spoolFolder: string;
  /** Whether uploads are bounded by address. */
  limited?: boolean;
  limits?: Partial<PhotoLimits>;
  /** Limits of the processes that decode and encode photos. */
  budget?: Partial<CodecBudget>;
  uploadSlots?: Partial<UploadSlots>;
  minimumRate?: UploadRate;
  variantRoom?: Partial<VariantRoom>;
  decodingRoom?: Partial<DecodingRoom>;
}

/** The maximum numbers of uploads in progress. */
interface UploadSlots {
  /** From the first byte to the response, of one uploader: while one upload is decoded, the next one is received. */
  perUploader: number;
  /** Being received, from one address. Accounts are free, addresses are not. */
  perAddress: number;
  /** Being received, in total. */
  total: number;
}

const standardUploadSlots: UploadSlots = { perUploader: 2, perAddress: 4, total: 32 };

/** When an upload over a limit can be tried again. */
const SLOT_RETRY_MS = 5_000;

/** Allowance for the boundaries and part headers around the photo. */
const MULTIPART_OVERHEAD_BYTES = 16 * 1024;

const UploadQuery = z.object({ key: z.string() });
/** The signature of a private photo's address. */
const SignedQuery = z.object({
  until: z.coerce.number().int(),
  signature: z.string().max(100),
});

const PhotoParams = z.object({ '*': z.string() });

/** Maps an error of receiving an upload to a refusal; returns errors of the server itself unchanged. */
function toUploadRefusal(error: unknown, limits: PhotoLimits): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE') return toRefusal(tooManyBytes(limits));
  const full = storageFullRefusal(error);
  // Errors of the file system have `syscall`, those of the parser do not.
  if (full !== null || 'syscall' in error) return full ?? error;
  return new Refusal('malformed_request', 'The upload arrived incomplete or garbled. Please try it again.');
}

/** Spools the photo of a multipart request and ignores its other parts. @throws Refusal */
async function receivePhoto(
  request: FastifyRequest,
  spool: Spool,
  limits: PhotoLimits,
): Promise<SpooledUpload> {
  let photo: SpooledUpload | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname === PHOTO_FIELD) photo = await spool.receive(part.file);
      else part.file.resume();
    }
  } catch (error) {
    await photo?.[Symbol.asyncDispose]();
    throw toUploadRefusal(error, limits);
  }
  if (photo !== null && photo.size > 0) return photo;
  await photo?.[Symbol.asyncDispose]();
  const detail = 'Product photo is required';
  throw new Refusal('invalid_input', `${detail}.`, { errors: { [PHOTO_FIELD]: detail } });
}

async function sendVariant(
  variant: ServedVariant,
  request: FastifyRequest,
  [reply, isPrivate]: readonly [FastifyReply, boolean],
) {
  const caching = isPrivate ? 'private, max-age=3600' : 'public, max-age=31536000, immutable';
  reply
    // A substitute is checked again before each use: meanwhile the requested size may have been made.
    .header('cache-control', variant.isSubstitute ? `${isPrivate ? 'private' : 'public'}, no-cache` : caching)
    .header('cross-origin-resource-policy', isPrivate ? 'same-origin' : 'cross-origin')
    .header('x-content-type-options', 'nosniff')
    .header('etag', variant.etag);
  if (matchesEtag(request.headers['if-none-match'], variant.etag)) {
    variant.stream.destroy();
    return reply.code(304).send();
  }
  reply.type(variant.contentType).header('content-length', variant.size);
  if (request.method !== 'HEAD') return reply.send(variant.stream);
  variant.stream.destroy();
  return reply.send();
}

function toPhotoRefusal(error: FastifyError): Refusal {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('unsupported_media_type', 'A photo is uploaded as multipart/form-data.');
  }
  if (error instanceof StorageError) {
    return new Refusal(
      'busy',
      'The photos cannot be reached right now. Nothing was kept; please try again in a moment.',
    );
  }
  return refusalFromError(error);
}

/** Sends a problem document with the `success: false` that clients of an image host expect. */
function sendRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toPhotoRefusal(error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'photo request failed');
  sendProblem(reply, refusal, { success: false });
}

/** @throws Refusal for an upload over a limit of uploads in progress */
function refuseUpload(reason: string): never {
  throw new Refusal(
    'too_many_requests',
    `${reason} This one was not kept; please try again once they are done.`,
    { retryAt: new Date(Date.now() + SLOT_RETRY_MS) },
  );
}

/** A signal that is aborted when the client's connection is closed, or when the response has been sent. */
function closedSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    // Nobody receives this refusal; it is no error of the server.
    controller.abort(new Refusal('malformed_request', 'The connection was closed before the response.'));
  });
  return controller.signal;
}

/**
 * The built-in image host: `POST /photos?key=…` stores a photo, `GET /photos/…` serves its variants. Register it
 * without `fastify-plugin`: its body parser and error handler apply to its own routes only.
 */
export async function photosPlugin(app: FastifyInstance, options: PhotosOptions): Promise<void> {
  const { origin, key, authorize, limited = true, minimumRate = standardUploadRate } = options;
  const limits: PhotoLimits = { ...standardLimits, ...options.limits };
  const slotLimits: UploadSlots = { ...standardUploadSlots, ...options.uploadSlots };
  const decodingRoom: DecodingRoom = { ...standardDecodingRoom, ...options.decodingRoom };
  if (!limited)
    [slotLimits.perAddress, decodingRoom.maximumOfOwner] = [slotLimits.total, decodingRoom.maximum];
  const slots = createSlots();
  const spool = await openSpool(options.spoolFolder);
  const codec = createCodec({ ...standardBudget, ...options.budget });
  app.addHook('onClose', () => codec.close());
  const host = createPhotoHost({
    ...options,
    limits,
    codec,
    variantRoom: { ...standardVariantRoom, ...options.variantRoom },
    decodingRoom,
    reportError: (error) =>
      app.log.error({ err: error }, 'a photo could not be decoded or a variant not stored'),
  });

  app.decorateRequest('uploader', null);
  app.removeAllContentTypeParsers();
  await app.register(multipart, {
    limits: { fileSize: limits.bytes, files: 1, fields: 8, fieldSize: 1024, parts: 10, headerPairs: 32 },
  });
  app.setErrorHandler(sendRefusal);

  async function authenticate(request: FastifyRequest): Promise<void> {
    const query = UploadQuery.safeParse(request.query);
    if (!query.success || !isSameSecret(query.data.key, key)) {
      throw new Refusal('not_allowed', 'The image host does not know this API key.');
    }
    request.uploader = await authorize(request);
  }

  async function receiveWithMinimumRate(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SpooledUpload> {
    const ofAddress = ipPrefixes(request.ip).map((range) => ({
      key: `address ${range.prefix}`,
      maximum: slotLimits.perAddress * shareFactor(range),
    }));
    using _ofAddress =
      slots.tryAcquire(...ofAddress) ?? refuseUpload('Other photos are being uploaded from your network.');
    using ofAll = slots.tryAcquire({ key: 'receiving', maximum: slotLimits.total });
    if (ofAll === null) throw toRefusal(tooManyUploads);
    const receiving = receivePhoto(request, spool, limits);
    try {
      return await withMinimumRate(minimumRate, request.raw.socket, receiving, () => {
        // Node closes the connection after the response without ending the request body's stream.
        reply.header('connection', 'close').raw.once('finish', () => request.raw.destroy());
        return new Refusal(
          'upload_too_slow',
          'The photo arrived too slowly and was not kept. Please try again with a better connection.',
        );
      });
    } catch (error) {
      // The upload may still be received completely: then its file is removed.
      receiving.then(
        (upload) => upload[Symbol.asyncDispose](),
        () => undefined,
      );
      throw error;
    }
  }

  app.post('/photos', { onRequest: authenticate }, async (request, reply): Promise<PhotoUploaded> => {
    if (!request.isMultipart()) {
      throw new Refusal('unsupported_media_type', 'A photo is uploaded as multipart/form-data.');
    }
    if (Number(request.headers['content-length'] ?? 0) > limits.bytes + MULTIPART_OVERHEAD_BYTES) {
      throw toRefusal(tooManyBytes(limits));
    }
    const { uploader } = request;
    if (uploader === null) throw new Refusal('not_signed_in', 'Please sign in to upload photos.');
    const { uploaderId, keepPrivate } = uploader;
    const requester = { address: request.ip, signal: closedSignal(reply) };
    using _slot =
      slots.tryAcquire({ key: `uploader ${uploaderId}`, maximum: slotLimits.perUploader }) ??
      refuseUpload('Other photos of yours are being uploaded.');
    await using upload = await receiveWithMinimumRate(request, reply);
    const isPrivate = keepPrivate !== null;
    const photo = await host.storeUpload(upload, { uploaderId, isPrivate, ...requester });
    await keepPrivate?.(photoUrl('', photo));
    return { success: true, data: { url: photoUrl(origin, photo) } };
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/photos/*',
    handler: async (request, reply) => {
      const params = PhotoParams.safeParse(request.params);
      const path = `/photos/${params.data?.['*'] ?? ''}`;
      const isPrivate = isPrivatePhoto(path);
      const signed = SignedQuery.safeParse(request.query);
      const isOpen = !isPrivate || (signed.success && options.links.isValid(path, signed.data));
      const requester = { address: request.ip, signal: closedSignal(reply) };
      const variant = params.success && isOpen ? await host.openVariant(params.data['*'], requester) : null;
      if (variant === null) throw new Refusal('not_found', 'There is no photo at this address.');
      return sendVariant(variant, request, [reply, isPrivate]);
    },
  });
}
