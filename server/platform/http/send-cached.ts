import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CachedResponse } from './cached-response.ts';
import { type ContentEncoding, encodingFor } from './content-encoding.ts';
import { encodedEntityTag, matchesEtag } from './etag.ts';

const noBytes = Buffer.alloc(0);

/**
 * Sets the status and all headers of a response that is kept as bytes.
 * @param encode returns compressed bytes, or null to send the others
 * @returns the bytes to send: compressed as the client accepts, and none if it has them already
 */
export function prepareBytes(
  { headers: requested }: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, etag }: Pick<CachedResponse, 'status' | 'headers' | 'body' | 'etag'>,
  encode: (encoding: ContentEncoding) => Buffer | null,
): Buffer {
  const encoding = encodingFor(requested['accept-encoding']?.toString());
  const compressed = encoding && encode(encoding);
  const isUnchanged = status === 200 && matchesEtag(requested['if-none-match'], etag);
  reply.headers(headers);
  reply.header('etag', encoding && compressed ? encodedEntityTag(etag, encoding) : etag);
  if (isUnchanged) {
    reply.code(304);
    return noBytes;
  }
  reply.code(status);
  if (compressed === null) return body;
  reply.header('content-encoding', encoding);
  return compressed;
}
