import * as z from 'zod/mini';
import { line } from './scalars.ts';

/** The maximum length of a caption, in characters. */
export const MAXIMUM_CAPTION = 120;

/** Captions of photos, by the photos' URLs. A photo can lack one. */
export const PhotoCaptions = z.record(z.string(), z.string());
export type PhotoCaptions = z.infer<typeof PhotoCaptions>;

/**
 * Captions in a request. Their number is checked first, so that a megabyte of invalid captions causes one error.
 * @param maximum the number of captions
 */
export function newPhotoCaptions(maximum: number) {
  return z.pipe(
    z.transform((value: unknown, context) => {
      const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
      if (count <= maximum) return value;
      const message = `At most ${maximum} photos have captions`;
      context.issues.push({ code: 'custom', input: Object.keys(value ?? {}).length, message });
      return z.NEVER;
    }),
    z.record(z.string(), line(MAXIMUM_CAPTION, 'A caption is a text'), {
      error: 'Captions are texts by the URLs of photos',
    }),
  );
}
