import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** The content codings that the shop produces, in the order in which equal ones are preferred. */
const encodings = ['br', 'zstd', 'gzip'] as const;
export type ContentEncoding = (typeof encodings)[number];

/** Parsed headers by their text. Browsers send few different ones, and parsing takes longer than the look-up. */
const parsed = new LRUCache<string, readonly ContentEncoding[]>({ max: 64 });

/** The longest header that is parsed, in characters. */
const MAXIMUM_HEADER_LENGTH = 200;

/** The known content codings of an Accept-Encoding header without `q=0` (RFC 9110, 12.5.3). */
export function acceptedEncodings(header: string | undefined): readonly ContentEncoding[] {
  if (header === undefined || header.length > MAXIMUM_HEADER_LENGTH) return [];
  const known = parsed.get(header);
  if (known !== undefined) return known;
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  const accepted = encodings.filter((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
  parsed.set(header, accepted);
  return accepted;
}

/** With the default window, which holds any page: its end, the data for its scripts, repeats what its beginning shows. */
const brotli = (quality: number, bytes: Buffer) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  },
});

const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export interface Compressed {
  encoding: ContentEncoding;
  /** How much processor time was spent. The bytes differ, and so do their entity tags. */
  effort: 'quick' | 'good';
  bytes: Buffer;
}

/** A copy in a buffer of its own: zlib's results are slices of larger buffers. */
function compact(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(copy);
  return copy;
}

/**
 * Compresses at once and cheaply: a page of 45 kB in 0.2 to 0.4 ms.
 * @param accepted the codings that the client accepts
 * @returns null when it accepts none
 */
export function compressQuickly(bytes: Buffer, accepted: readonly ContentEncoding[]): Compressed | null {
  const quick = (encoding: ContentEncoding, compressed: Buffer): Compressed => ({
    encoding,
    effort: 'quick',
    bytes: compact(compressed),
  });
  // At these levels, zstd is both the fastest and the smallest.
  if (accepted.includes('zstd')) return quick('zstd', zstdCompressSync(bytes, zstd));
  if (accepted.includes('br')) return quick('br', brotliCompressSync(bytes, brotli(1, bytes)));
  if (accepted.includes('gzip')) return quick('gzip', gzipSync(bytes, { level: 1 }));
  return null;
}

/** The coding of {@link compressWell} for a client; null when it accepts none of them. */
export function bestEncoding(accepted: readonly ContentEncoding[]): 'br' | 'gzip' | null {
  if (accepted.includes('br')) return 'br';
  // A client with zstd gains nothing from gzip.
  return accepted.includes('gzip') && !accepted.includes('zstd') ? 'gzip' : null;
}

/**
 * Compresses well, outside the main thread: a page of 45 kB in 1.2 ms, to 11 % fewer bytes than {@link compressQuickly}.
 * Higher qualities of Brotli take more than ten times as long for 1 %.
 */
export async function compressWell(bytes: Buffer, encoding: 'br' | 'gzip'): Promise<Compressed> {
  const compressed =
    encoding === 'br'
      ? await compressBrotli(bytes, brotli(6, bytes))
      : await compressGzip(bytes, { level: 6 });
  return { encoding, effort: 'good', bytes: compact(compressed) };
}
