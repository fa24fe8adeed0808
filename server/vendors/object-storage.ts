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
} from '@aws-sdk/client-s3';
import type { PhotoStorage } from '#server/photos/storage.ts';

export interface ObjectStorageOptions {
  bucket: string;
  region: string;
  /** The service's URL; left out, that of Amazon S3 in the region. */
  endpoint?: string;
  /** Left out, the SDK looks where it always does: environment, profile, role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** The bucket in the path instead of the host name, as most services other than Amazon's want it. */
  forcePathStyle?: boolean;
}

/** Milliseconds. */
const CONNECTION_TIMEOUT = 3_000;
const REQUEST_TIMEOUT = 15_000;

/**
 * Keeps photos in a bucket of any service that speaks S3. The credentials need `s3:GetObject`, `s3:PutObject`,
 * `s3:DeleteObject` and `s3:ListBucket`; without the last, S3 answers "forbidden" for what is not there.
 * @returns the storage, and `close` to drop its connections
 */
export function createObjectStorage(options: ObjectStorageOptions): PhotoStorage & { close(): void } {
  const { bucket: Bucket, region, endpoint, credentials, forcePathStyle = false } = options;
  const client = new S3Client({
    region,
    forcePathStyle,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT, requestTimeout: REQUEST_TIMEOUT },
    // Services other than Amazon's often refuse the checksums that the SDK adds unasked.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  });

  return {
    async put(Key, bytes, contentType) {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body: bytes,
          ContentLength: bytes.byteLength,
          ContentType: contentType,
          CacheControl: 'public, max-age=31536000, immutable',
        }),
      );
    },

    async get(Key) {
      try {
        const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key }));
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
        await client.send(new HeadObjectCommand({ Bucket, Key }));
        return true;
      } catch (error) {
        if (error instanceof NotFound || error instanceof NoSuchKey) return false;
        throw error;
      }
    },

    async keysFrom(prefix) {
      const keys: string[] = [];
      let from: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: from }),
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
        from = page.NextContinuationToken;
      } while (from !== undefined);
      return keys;
    },

    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },

    close() {
      client.destroy();
    },
  };
}
