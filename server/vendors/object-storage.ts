import { Readable } from 'node:stream';
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
import { type PhotoStorage, StorageError } from '#server/photos/storage.ts';

export interface ObjectStorageOptions {
  bucket: string;
  region: string;
  /** The service's URL; left out, that of Amazon S3 in the region. */
  endpoint?: string;
  /** Left out, the SDK looks where it always does: environment, profile, role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** The bucket in the path instead of the host name, as most services other than Amazon's want it. */
  forcePathStyle?: boolean;
  /** For how many milliseconds a connection may be silent before a try is given up; 15 seconds when left out. */
  patience?: number;
}

/** Milliseconds. */
const CONNECTION_TIMEOUT = 3_000;
const PATIENCE = 15_000;

const rights = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';

/** What went wrong, as a sentence about a bucket that bears `name`. */
function problemOf(error: unknown, name: string): StorageError {
  const say = (sentence: string) => new StorageError(sentence, { cause: error });
  if (!(error instanceof Error)) return say(`${name} cannot be used: ${String(error)}.`);
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0;
    if (error.name === 'NoSuchBucket') return say(`${name} does not exist.`);
    if (status === 401 || status === 403) {
      return say(`${name} refuses the shop's credentials (${error.name}); they need ${rights}.`);
    }
    return say(`${name} answered ${status} (${error.name}).`);
  }
  const reason = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return say(`${name} cannot be reached (${reason || error.name}).`);
}

/**
 * Keeps photos in a bucket of any service that speaks S3. The credentials need `s3:GetObject`, `s3:PutObject`,
 * `s3:DeleteObject` and `s3:ListBucket`; without the last, S3 answers "forbidden" for what is not there.
 * @returns the storage, whose calls throw StorageError, and `close` to drop its connections
 */
export function createObjectStorage(options: ObjectStorageOptions): PhotoStorage & { close(): void } {
  const {
    bucket: Bucket,
    region,
    endpoint,
    credentials,
    forcePathStyle = false,
    patience = PATIENCE,
  } = options;
  const client = new S3Client({
    region,
    forcePathStyle,
    maxAttempts: 3,
    // Of silence, not of the whole call: a large photo on a slow way arrives all the same.
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT, socketTimeout: patience },
    // Services other than Amazon's often refuse the checksums that the SDK adds unasked.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  });

  const at = endpoint === undefined ? '' : ` at ${endpoint}`;
  /** Waits for an answer. @throws StorageError, or the SDK's own error about what is not there */
  async function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof NoSuchKey || error instanceof NotFound) throw error;
      throw problemOf(error, `The bucket ${Bucket}${at}`);
    }
  }

  return {
    description: `the bucket ${Bucket}`,

    async put(Key, bytes, contentType) {
      await answerOf(
        client.send(
          new PutObjectCommand({
            Bucket,
            Key,
            Body: bytes,
            ContentLength: bytes.byteLength,
            ContentType: contentType,
            CacheControl: 'public, max-age=31536000, immutable',
          }),
        ),
      );
    },

    async get(Key) {
      try {
        const { Body, ContentLength } = await answerOf(client.send(new GetObjectCommand({ Bucket, Key })));
        if (!(Body instanceof Readable) || ContentLength === undefined) {
          throw new TypeError('The object store answered without a body or its length');
        }
        return { stream: Body, size: ContentLength };
      } catch (error) {
        if (error instanceof NoSuchKey || error instanceof NotFound) return null;
        throw error;
      }
    },

    async has(Key) {
      try {
        await answerOf(client.send(new HeadObjectCommand({ Bucket, Key })));
        return true;
      } catch (error) {
        if (error instanceof NotFound || error instanceof NoSuchKey) return false;
        throw error;
      }
    },

    async *keys() {
      let from: string | undefined;
      do {
        const page = await answerOf(
          client.send(new ListObjectsV2Command({ Bucket, ContinuationToken: from })),
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
        from = page.NextContinuationToken;
      } while (from !== undefined);
    },

    async remove(Key) {
      await answerOf(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },

    close() {
      client.destroy();
    },
  };
}
