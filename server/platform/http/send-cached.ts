import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings, type Compressed, type ContentEncoding } from './content-encoding.ts';
import { encodedEntityTag, matchesEtag } from './etag.ts';

const noBytes = Buffer.alloc(0);

/**
 * Sets the status and the headers of a response that is kept as bytes.
 * @param encode returns compressed bytes for a client that accepts some codings, or null
 * @returns the bytes to send: compressed as the client accepts, and none if it has them already
 */
export function prepareBytes(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { status, body, etag }: { status: number; body: Buffer; etag: string },
  encode: (accepted: readonly ContentEncoding[]) => Compressed | null,
): Buffer {
  const accepted = acceptedEncodings(headers['accept-encoding']?.toString());
  const compressed = accepted.length === 0 ? null : encode(accepted);
  const isUnchanged = status === 200 && matchesEtag(headers['if-none-match'], etag);
  reply.header(
    'etag',
    compressed === null ? etag : encodedEntityTag(etag, `${compressed.encoding}-${compressed.effort}`),
  );
  if (isUnchanged) {
    reply.code(304);
    return noBytes;
  }
  reply.code(status);
  if (compressed === null) return body;
  reply.header('content-encoding', compressed.encoding);
  return compressed.bytes;
}
