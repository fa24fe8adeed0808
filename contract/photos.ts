import * as z from 'zod/mini';

export * from './photo-names.ts';

/** The multipart field that carries the photo, as the specification names it. */
export const PHOTO_FIELD = 'image';

/** The largest upload of the built-in host, in bytes. */
export const MAXIMUM_PHOTO_BYTES = 12 * 1024 * 1024;

/** The same in people's words. */
export const MAXIMUM_PHOTO_SIZE = `${MAXIMUM_PHOTO_BYTES / (1024 * 1024)} MB`;

/** The largest picture of the built-in host, in pixels (width × height). */
export const MAXIMUM_PHOTO_PIXELS = 50_000_000;

/**
 * What a file chooser offers; the host itself decides by content. Desktop systems know no media type of HEIC files, so
 * these are named by their endings as well.
 */
export const PHOTO_ACCEPT = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

/** What any image host answers to an upload that it keeps. */
export const PhotoUploaded = z.object({
  success: z.literal(true),
  data: z.object({ url: z.string() }),
});
export type PhotoUploaded = z.infer<typeof PhotoUploaded>;
