import * as z from 'zod/mini';
import { PhotoKind } from '#contract/listings/photo-kinds.ts';
import { type FormPhoto, photoId } from './photo-list.ts';

/** What the seller says about one photo. */
const PhotoDetail = z.object({ kind: z.optional(PhotoKind), caption: z._default(z.string(), '') });
export type PhotoDetail = z.output<typeof PhotoDetail>;

/**
 * What the seller says about the photos, by `photoId`. A draft keeps it: a file that is chosen again after a reload is the
 * same photo.
 */
export const PhotoDetails = z.record(z.string(), PhotoDetail);
export type PhotoDetails = z.output<typeof PhotoDetails>;

/** The details of one photo. */
export const detailOf = (details: PhotoDetails, photo: FormPhoto): PhotoDetail =>
  details[photoId(photo)] ?? { caption: '' };

/** Replaces the details of one photo. */
export const withDetail = (details: PhotoDetails, photo: FormPhoto, detail: PhotoDetail): PhotoDetails => ({
  ...details,
  [photoId(photo)]: detail,
});

/** The details of a listed laptop's photos, whose ids are their URLs. */
export function toPhotoDetails({
  images,
  captions = {},
  kinds = {},
}: {
  images: readonly string[];
  captions?: Readonly<Record<string, string>> | undefined;
  kinds?: Readonly<Record<string, PhotoKind>> | undefined;
}): PhotoDetails {
  return Object.fromEntries(
    images.map((url) => {
      const kind = kinds[url];
      return [url, { caption: captions[url] ?? '', ...(kind !== undefined && { kind }) }];
    }),
  );
}

/**
 * The part of a request about the photos. Of files with the same content, the first kind and the first caption count.
 * @param images the URL of each photo, in order
 */
export function photoTexts(
  photos: readonly FormPhoto[],
  details: PhotoDetails,
  images: readonly string[],
): { captions: Record<string, string>; kinds: Record<string, PhotoKind> } {
  const captions: Record<string, string> = {};
  const kinds: Record<string, PhotoKind> = {};
  for (const [index, photo] of photos.entries()) {
    const url = images[index];
    if (url === undefined) continue;
    const { kind, caption } = detailOf(details, photo);
    if (caption.trim() !== '') captions[url] ??= caption;
    if (kind !== undefined) kinds[url] ??= kind;
  }
  return { captions, kinds };
}
