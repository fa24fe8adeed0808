import * as z from 'zod/mini';
import { line } from '#contract/platform/scalars.ts';

/** The maximum length of a caption, in characters. */
export const MAXIMUM_CAPTION = 120;

/** Captions of photos, by the photos' URLs. A photo can lack one. */
export const PhotoCaptions = z.record(z.string(), z.string());
export type PhotoCaptions = z.infer<typeof PhotoCaptions>;

/**
 * Values by the URLs of photos in a request. Their number is checked first, so that a megabyte of invalid values causes one
 * error.
 * @param maximum the number of values
 */
export function byPhoto<Value extends z.ZodMiniType>(
  maximum: number,
  value: Value,
  errors: { tooMany: string; invalid: string },
) {
  return z.pipe(
    z.transform((input: unknown, context) => {
      const count = typeof input === 'object' && input !== null ? Object.keys(input).length : 0;
      if (count <= maximum) return input;
      context.issues.push({ code: 'custom', input: count, message: errors.tooMany });
      return z.NEVER;
    }),
    z.record(z.string(), value, { error: errors.invalid }),
  );
}

/** Captions in a request. @param maximum their number */
export const newPhotoCaptions = (maximum: number) =>
  byPhoto(maximum, line(MAXIMUM_CAPTION, 'A caption is a text'), {
    tooMany: `At most ${maximum} photos have captions`,
    invalid: 'Captions are texts by the URLs of photos',
  });
