/** The maximum length of a slug, in characters. */
const MAXIMUM_SLUG_LENGTH = 80;

/** The readable part of a laptop's URL: lower-case ASCII letters and digits of its name, joined by hyphens. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, MAXIMUM_SLUG_LENGTH).replace(/-$/, '') || 'laptop';
}
