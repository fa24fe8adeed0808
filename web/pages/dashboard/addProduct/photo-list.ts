import { MAXIMUM_PHOTOS } from '#contract/catalogue.ts';

/** Identifies a file in the list, which has no duplicates. */
export const photoId = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

const count = (number: number) => (number === 1 ? '1 photo' : `${number} photos`);

/**
 * Appends the chosen files, skipping duplicates, up to MAXIMUM_PHOTOS.
 * @returns `message`: a status message about the added and skipped files
 */
export function appendPhotos(
  photos: readonly File[],
  files: readonly File[],
): { photos: File[]; message: string } {
  const all = [...photos];
  for (const file of files) if (!all.some((photo) => photoId(photo) === photoId(file))) all.push(file);
  const kept = all.slice(0, MAXIMUM_PHOTOS);
  const [duplicates, tooMany] = [photos.length + files.length - all.length, all.length - kept.length];
  const sentences = [`${count(kept.length)} of ${MAXIMUM_PHOTOS} chosen.`];
  if (duplicates > 0) sentences.push(`${count(duplicates)} left out: chosen before.`);
  if (tooMany > 0) sentences.push(`${count(tooMany)} left out: a laptop can have ${MAXIMUM_PHOTOS}.`);
  return { photos: kept, message: sentences.join(' ') };
}

/** Moves the photo at index `from` to index `to`. */
export function movePhoto(photos: readonly File[], from: number, to: number): File[] {
  const photo = photos[from];
  const others = photos.filter((_, index) => index !== from);
  return photo === undefined ? others : others.toSpliced(to, 0, photo);
}
