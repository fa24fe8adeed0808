import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type PhotoStorage, StorageError } from '#server/listings/photos/storage.ts';

export interface ObjectStorageOptions {
  bucket: string;
  region: string;
  /** The service's URL; by default that of Amazon S3 in the region. */
  endpoint?: string;
  /** By default those that the SDK finds: environment, profile, instance role. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Whether the bucket is in the path instead of the host name, as most services other than Amazon's require. */
  forcePathStyle?: boolean;
  /** How long a connection may be idle before an attempt fails, in milliseconds; by default 5 seconds. */
  idleTimeoutMs?: number;
  /** How long a call may take until its response begins, with all attempts, in milliseconds; by default 12 seconds. */
  responseTimeoutMs?: number;
}

/** A storage in a bucket. */
export interface ObjectStorage extends PhotoStorage {
  /** Lists the objects whose keys begin with `prefix`, in no order. */
  objects(prefix: string): AsyncIterable<{ key: string; size: number }>;
  /** Reads the bytes from `first` to `last`, inclusive. @returns null for a missing object */
  getRange(key: string, first: number, last: number): Promise<Buffer | null>;
  /**
   * Uploads a stream of up to 320 GB in parts. The object appears when it is complete; the parts of a failed upload are
   * removed.
   * @throws the stream's error, or StorageError
   */
  upload(key: string, content: Readable): Promise<void>;
  /** Closes its connections. */
  close(): void;
}

const CONNECTION_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 5_000;
/**
 * While a bucket does not answer, calls also wait for one of the client's connections. A visitor must not wait for the sum of
 * all this.
 */
const RESPONSE_TIMEOUT_MS = 12_000;

/** The bytes of an upload's part. One is in memory at a time, and S3 allows 10,000 of them. */
const PART_BYTES = 32 * 1024 * 1024;

const requiredPermissions = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';

/** Converts an error of the SDK. @param name the bucket's name in the message */
function toStorageError(error: unknown, name: string): StorageError {
  const withMessage = (message: string) => new StorageError(message, { cause: error });
  if (!(error instanceof Error)) return withMessage(`${name} cannot be used: ${String(error)}.`);
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0;
    if (error.name === 'NoSuchBucket') return withMessage(`${name} does not exist.`);
    if (status === 401 || status === 403) {
      return withMessage(
        `${name} refuses the shop's credentials (${error.name}); they need ${requiredPermissions}.`,
      );
    }
    return withMessage(`${name} answered ${status} (${error.name}).`);
  }
  const reason = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return withMessage(`${name} cannot be reached (${reason || error.name}).`);
}

/**
 * Creates a storage in a bucket of any service with the S3 API. The credentials need `s3:GetObject`, `s3:PutObject`,
 * `s3:DeleteObject` and `s3:ListBucket`; without the last, S3 returns 403 for a missing object.
 * @returns the storage, whose methods throw StorageError
 */
export function createObjectStorage(options: ObjectStorageOptions): ObjectStorage {
  const {
    bucket: Bucket,
    region,
    endpoint,
    credentials,
    forcePathStyle = false,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    responseTimeoutMs = RESPONSE_TIMEOUT_MS,
  } = options;
  const client = new S3Client({
    region,
    forcePathStyle,
    maxAttempts: 3,
    // The idle time, not the duration of a call: a large photo may take longer on a slow connection.
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: idleTimeoutMs },
    // Many services other than Amazon's reject the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  });

  const location = endpoint === undefined ? '' : ` at ${endpoint}`;
  /**
   * Awaits a call of the SDK, and aborts it at the timeout. The body of its response is not limited.
   * @returns null for a missing object @throws StorageError
   */
  async function resultOf<Result>(
    call: (options: { abortSignal: AbortSignal }) => Promise<Result>,
  ): Promise<Result | null> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), responseTimeoutMs);
    try {
      return await call({ abortSignal: timeout.signal });
    } catch (error) {
      if (error instanceof NoSuchKey || error instanceof NotFound) return null;
      const name = `The bucket ${Bucket}${location}`;
      if (timeout.signal.aborted) {
        throw new StorageError(`${name} did not answer within ${responseTimeoutMs / 1000} s.`, {
          cause: error,
        });
      }
      throw toStorageError(error, name);
    } finally {
      clearTimeout(timer);
    }
  }

  async function* objects(Prefix?: string): AsyncGenerator<{ key: string; size: number }> {
    let ContinuationToken: string | undefined;
    do {
      const page = await resultOf((options) =>
        client.send(new ListObjectsV2Command({ Bucket, ContinuationToken, Prefix }), options),
      );
      for (const { Key, Size = 0 } of page?.Contents ?? [])
        if (Key !== undefined) yield { key: Key, size: Size };
      ContinuationToken = page?.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  return {
    description: `the bucket ${Bucket}`,
    objects,

    async getRange(Key, first, last) {
      const Range = `bytes=${first}-${last}`;
      return resultOf(async (options) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }), options);
        return Body instanceof Readable ? buffer(Body) : Buffer.alloc(0);
      });
    },

    async upload(Key, content) {
      const params = { Bucket, Key, Body: content, ContentType: 'application/octet-stream' };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 });
      try {
        await upload.done();
      } catch (error) {
        throw error === content.errored ? error : toStorageError(error, `The bucket ${Bucket}${location}`);
      } finally {
        content.destroy();
      }
    },

    async put(Key, bytes, contentType) {
      await resultOf((options) =>
        client.send(
          new PutObjectCommand({
            Bucket,
            Key,
            Body: bytes,
            ContentLength: bytes.byteLength,
            ContentType: contentType,
            CacheControl: 'public, max-age=31536000, immutable',
          }),
          options,
        ),
      );
    },

    async get(Key) {
      const object = await resultOf((options) => client.send(new GetObjectCommand({ Bucket, Key }), options));
      if (object === null) return null;
      const { Body, ContentLength } = object;
      if (!(Body instanceof Readable) || ContentLength === undefined) {
        throw new TypeError('The object store answered without a body or its length');
      }
      return { stream: Body, size: ContentLength };
    },

    async has(Key) {
      return (
        (await resultOf((options) => client.send(new HeadObjectCommand({ Bucket, Key }), options))) !== null
      );
    },

    async *keys() {
      for await (const { key } of objects()) yield key;
    },

    async remove(Key) {
      await resultOf((options) => client.send(new DeleteObjectCommand({ Bucket, Key }), options));
    },

    close() {
      client.destroy();
    },
  };
}
