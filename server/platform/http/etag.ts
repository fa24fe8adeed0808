import { hash } from 'node:crypto';
import type { ContentEncoding } from './content-encoding.ts';

/** The strong entity tag of uncompressed bytes. */
export const entityTagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;

/**
 * The strong entity tag of compressed bytes.
 * @param etag of the uncompressed bytes
 */
export const encodedEntityTag = (etag: string, encoding: ContentEncoding | ''): string =>
  `${etag.slice(0, -1)}.${encoding}"`;

/**
 * Whether an If-None-Match header contains this tag, or that of the same bytes in any content coding: a client that has one
 * of them needs no other. A compressing proxy turns tags into weak ones.
 * @param etag of the uncompressed bytes
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const encoded = encodedEntityTag(etag, '').slice(0, -1);
  return ifNoneMatch.split(',').some((tag) => {
    const text = tag.trim().replace(/^W\//, '');
    return text === '*' || text === etag || text.startsWith(encoded);
  });
}
