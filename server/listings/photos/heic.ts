import libheif from 'libheif-js/wasm-bundle.js';
import * as z from 'zod/mini';
import { UndecodableError } from './photo-validation.ts';
import type { DecodedImage, Size } from './rules.ts';

const Failure = z.object({ code: z.unknown(), message: z.string() });
const Decoded = z.object({
  image: z.unknown(),
  channels: z.tuple([
    z.object({ width: z.int(), height: z.int(), stride: z.int(), data: z.instanceof(Uint8Array) }),
  ]),
});

/** Returns the result of a libheif call. @throws UndecodableError when the call failed */
function throwIfFailed(result: unknown): unknown {
  const failure = Failure.safeParse(result);
  if (failure.success) throw new UndecodableError(failure.data.message);
  return result;
}

/** Removes the padding at the end of each row, in place: a copy would double the memory. */
function removeRowPadding(data: Uint8Array, rowBytes: number, stride: number, rows: number): Buffer {
  if (stride !== rowBytes) {
    for (let row = 1; row < rows; row += 1) {
      data.copyWithin(row * rowBytes, row * stride, row * stride + rowBytes);
    }
  }
  return Buffer.from(data.buffer, data.byteOffset, rowBytes * rows);
}

/**
 * Decodes the primary image of a HEIC file. The decoder is synchronous and its memory never shrinks, so this must run in
 * a separate process.
 * @param checkSize called with the size in the image's header before decoding; may throw
 * @param processPixels called with the pixels, which are valid until its promise settles
 * @throws UndecodableError
 */
export async function decodeHeic<Result>(
  bytes: Uint8Array,
  checkSize: (size: Size) => void,
  processPixels: (pixels: DecodedImage) => Promise<Result>,
): Promise<Result> {
  const context = libheif.heif_context_alloc();
  const releases = [() => libheif.heif_context_free(context)];
  try {
    const read = libheif.heif_context_read_from_memory(context, bytes);
    if (read.code !== libheif.heif_error_code.heif_error_Ok) throw new UndecodableError(read.message);
    const handle = throwIfFailed(libheif.heif_js_context_get_primary_image_handle(context));
    releases.unshift(() => libheif.heif_image_handle_release(handle));
    checkSize({
      width: libheif.heif_image_handle_get_width(handle),
      height: libheif.heif_image_handle_get_height(handle),
    });
    const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
    const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma;
    const decoded = Decoded.parse(
      throwIfFailed(
        libheif.heif_js_decode_image2(
          handle,
          libheif.heif_colorspace.heif_colorspace_RGB,
          channels === 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
        ),
      ),
    );
    releases.unshift(() => libheif.heif_image_release(decoded.image));
    const [{ width, height, stride, data }] = decoded.channels;
    return await processPixels({
      width,
      height,
      channels,
      pixels: removeRowPadding(data, width * channels, stride, height),
    });
  } finally {
    for (const release of releases) release();
  }
}
