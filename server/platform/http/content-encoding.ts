import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** The content codings that the shop produces, the preferred one first. */
const encodings = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof encodings)[number];

/** Parsed headers by their text. Browsers send few different ones, and parsing takes longer than the look-up. */
const parsed = new LRUCache<string, { encoding: ContentEncoding | null }>({ max: 64 });

/** The longest header that is parsed, in characters. */
const MAXIMUM_HEADER_LENGTH = 200;

/** The content coding for a client with an Accept-Encoding header (RFC 9110, 12.5.3); null when it accepts none. */
export function encodingFor(header: string | undefined): ContentEncoding | null {
  if (header === undefined || header.length > MAXIMUM_HEADER_LENGTH) return null;
  const known = parsed.get(header);
  if (known !== undefined) return known.encoding;
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  const weightOf = (name: ContentEncoding) => weights.get(name) ?? weights.get('*') ?? 0;
  const accepted = encodings.filter((name) => weightOf(name) > 0);
  const encoding = accepted.toSorted((one, other) => weightOf(other) - weightOf(one))[0] ?? null;
  parsed.set(header, { encoding });
  return encoding;
}

/**
 * Compresses: a page of 45 kB takes 1 ms. Brotli has its default window, which holds any page: its end, the data for its scripts,
 * repeats what its beginning shows.
 */
export function compress(bytes: Buffer, encoding: ContentEncoding): Buffer {
  const compressed =
    encoding === 'gzip'
      ? gzipSync(bytes)
      : brotliCompressSync(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 5,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
          },
        });
  // zlib's results are slices of larger buffers.
  const copy = Buffer.allocUnsafeSlow(compressed.byteLength);
  compressed.copy(copy);
  return copy;
}
