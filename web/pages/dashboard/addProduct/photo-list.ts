import { MAXIMUM_PHOTOS } from '#contract/catalogue.ts';

const isSame = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

const count = (number: number) => (number === 1 ? '1 photo' : `${number} photos`);

/**
 * Chosen photos behind those that are there, without files that are there already and as far as there is room.
 * @returns `message`: what was done and what was left out, for the person
 */
export function addedTo(
  photos: readonly File[],
  files: readonly File[],
): { photos: File[]; message: string } {
  const all = [...photos];
  for (const file of files) if (!all.some((photo) => isSame(photo, file))) all.push(file);
  const kept = all.slice(0, MAXIMUM_PHOTOS);
  const [again, tooMany] = [photos.length + files.length - all.length, all.length - kept.length];
  const said = [`${count(kept.length)} of ${MAXIMUM_PHOTOS} chosen.`];
  if (again > 0) said.push(`${count(again)} left out: chosen before.`);
  if (tooMany > 0) said.push(`${count(tooMany)} left out: a laptop can have ${MAXIMUM_PHOTOS}.`);
  return { photos: kept, message: said.join(' ') };
}

/** Photos in another order: the one at `from` stands at `to`. */
export function movedTo(photos: readonly File[], from: number, to: number): File[] {
  const photo = photos[from];
  const others = photos.filter((_, index) => index !== from);
  return photo === undefined ? others : others.toSpliced(to, 0, photo);
}
