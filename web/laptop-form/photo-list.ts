import { MAXIMUM_PHOTOS } from '#contract/catalogue.ts';

/** A photo in the form: a chosen file, or the URL of a hosted photo that the laptop already has. */
export type FormPhoto = File | string;

/** Identifies a photo in the list, which has no duplicates. */
export const photoId = (photo: FormPhoto) =>
  typeof photo === 'string' ? photo : `${photo.name} ${photo.size} ${photo.lastModified}`;

const count = (number: number) => (number === 1 ? '1 photo' : `${number} photos`);

/**
 * Appends the chosen files, skipping duplicates, up to a maximum.
 * @returns `message`: a status message about the added and skipped files
 */
export function appendPhotos(
  photos: readonly FormPhoto[],
  files: readonly File[],
  maximum = MAXIMUM_PHOTOS,
): { photos: FormPhoto[]; message: string } {
  const all = [...photos];
  for (const file of files) if (!all.some((photo) => photoId(photo) === photoId(file))) all.push(file);
  const kept = all.slice(0, maximum);
  const [duplicates, tooMany] = [photos.length + files.length - all.length, all.length - kept.length];
  const sentences = [`${count(kept.length)} of ${maximum} chosen.`];
  if (duplicates > 0) sentences.push(`${count(duplicates)} left out: chosen before.`);
  if (tooMany > 0) sentences.push(`${count(tooMany)} left out: there can be ${maximum}.`);
  return { photos: kept, message: sentences.join(' ') };
}

/** Moves the photo at index `from` to index `to`. */
export function movePhoto(photos: readonly FormPhoto[], from: number, to: number): FormPhoto[] {
  const photo = photos[from];
  const others = photos.filter((_, index) => index !== from);
  return photo === undefined ? others : others.toSpliced(to, 0, photo);
}
