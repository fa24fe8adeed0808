import type { ContentEncoding } from './content-encoding.ts';
import { entityTagOf } from './etag.ts';
import { utf8 } from './paging.ts';

/** A response as bytes. It is never changed: compressed bytes are added to a copy. */
export interface CachedResponse {
  status: number;
  /** Without the entity tag and the content coding, which depend on the client. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Strong entity tag of the uncompressed bytes. */
  etag: string;
  /** The compressed bodies that clients have asked for. */
  encoded: Readonly<Partial<Record<ContentEncoding, Buffer>>>;
}

/** Creates a response. @param headers in lower case */
export function toCachedResponse(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  status = 200,
): CachedResponse {
  return { status, headers, body, etag: entityTagOf(body), encoded: {} };
}

/** Serializes a response that is not a page of a list. */
export const toCachedJson = (body: unknown, headers: Readonly<Record<string, string>> = {}): CachedResponse =>
  toCachedResponse(utf8(JSON.stringify(body)), headers);
