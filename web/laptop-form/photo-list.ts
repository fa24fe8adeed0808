import { MAXIMUM_PHOTOS } from '#contract/listings/catalogue.ts';
import { PHOTO_ACCEPT } from '#contract/listings/photos.ts';

/** A photo in the form: a chosen file, or the URL of a hosted photo that the laptop already has. */
export type FormPhoto = File | string;

/** Identifies a photo in the list, which has no duplicates. */
export const photoId = (photo: FormPhoto) =>
  typeof photo === 'string' ? photo : `${photo.name} ${photo.size} ${photo.lastModified}`;

const acceptedTypes = PHOTO_ACCEPT.split(',');

/** Extensions of photos for which a system may have no media type. */
const photoExtension = /\.(?:jpe?g|png|webp|avif|hei[cf])$/i;

/**
 * Whether the file input offers a file. Dropped files are not filtered by the browser, and a dropped folder is a file
 * without a media type.
 */
const isPhoto = ({ type, name }: File): boolean => acceptedTypes.includes(type) || photoExtension.test(name);

/** How many names of files a message has. */
const MAXIMUM_NAMES = 3;

function joinNames(files: readonly File[]): string {
  const names = files.slice(0, MAXIMUM_NAMES).map(({ name }) => name);
  const others = files.length - names.length;
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

const count = (number: number) => (number === 1 ? '1 photo' : `${number} photos`);

/**
 * Appends the chosen or dropped files that are photos, skipping duplicates, up to a maximum.
 * @returns `message`: a status message about the added and skipped files
 */
export function appendPhotos(
  photos: readonly FormPhoto[],
  files: readonly File[],
  maximum = MAXIMUM_PHOTOS,
): { photos: FormPhoto[]; message: string } {
  const all = [...photos];
  const chosen = files.filter(isPhoto);
  const others = files.filter((file) => !chosen.includes(file));
  for (const file of chosen) if (!all.some((photo) => photoId(photo) === photoId(file))) all.push(file);
  const kept = all.slice(0, maximum);
  const [duplicates, tooMany] = [photos.length + chosen.length - all.length, all.length - kept.length];
  const sentences = [`${count(kept.length)} of ${maximum} chosen.`];
  if (others.length > 0) {
    sentences.push(
      `Left out: ${joinNames(others)}. Photos are JPEG, PNG, WebP, AVIF or HEIC files, and not folders.`,
    );
  }
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
