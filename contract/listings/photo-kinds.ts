import * as z from 'zod/mini';
import { byPhoto } from './photo-captions.ts';

/** What the guided photos of a laptop show, in the order in which they are taken. */
export const photoKinds = {
  lid: 'Lid',
  on: 'Open and on',
  keyboard: 'Keyboard',
  ports: 'Ports',
  underside: 'Underside',
  marks: 'Marks',
  slip: 'Slip with the code',
} as const;

/** The same as the objects of sentences, such as `No photo of the lid`. */
export const photoSubjects = {
  lid: 'the lid',
  on: 'the open laptop',
  keyboard: 'the keyboard',
  ports: 'the ports',
  underside: 'the underside',
  marks: 'marks',
  slip: 'the slip',
} as const satisfies Record<keyof typeof photoKinds, string>;

export const PhotoKind = z.enum(['lid', 'on', 'keyboard', 'ports', 'underside', 'marks', 'slip'], {
  error: 'Choose what the photo shows',
});
export type PhotoKind = z.infer<typeof PhotoKind>;

/** Kinds of photos, by the photos' URLs. A photo can lack one. */
export const PhotoKinds = z.record(z.string(), PhotoKind);
export type PhotoKinds = z.infer<typeof PhotoKinds>;

/** Kinds of photos in a request. @param maximum their number */
export const newPhotoKinds = (maximum: number) =>
  byPhoto(maximum, PhotoKind, {
    tooMany: `At most ${maximum} photos have kinds`,
    invalid: 'Kinds are named by the URLs of photos',
  });

/** For admins: the code that the seller writes on a slip of paper, and the URLs of the photos that show it. */
export const Slip = z.object({ code: z.string(), photos: z.array(z.string()) });
export type Slip = z.infer<typeof Slip>;
