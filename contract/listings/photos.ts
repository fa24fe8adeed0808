import * as z from 'zod/mini';

export * from './photo-names.ts';

/** The multipart field of the photo (specification). */
export const PHOTO_FIELD = 'image';

/** The maximum upload to the built-in host, in bytes. */
export const MAXIMUM_PHOTO_BYTES = 12 * 1024 * 1024;

/** {@link MAXIMUM_PHOTO_BYTES} as text. */
export const MAXIMUM_PHOTO_SIZE = `${MAXIMUM_PHOTO_BYTES / (1024 * 1024)} MB`;

/** The maximum size of a photo on the built-in host, in pixels (width × height). */
export const MAXIMUM_PHOTO_PIXELS = 50_000_000;

/**
 * The `accept` attribute of file inputs. The host checks the content. HEIC is listed by extension as well, because desktop
 * systems have no media type for it.
 */
export const PHOTO_ACCEPT = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

/** The response of an image host to a successful upload. */
export const PhotoUploaded = z.object({
  success: z.literal(true),
  data: z.object({ url: z.string() }),
});
export type PhotoUploaded = z.infer<typeof PhotoUploaded>;
