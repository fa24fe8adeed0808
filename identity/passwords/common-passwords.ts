import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { formsOf, SHORTEST_WORD } from './guessable-forms.ts';

/** How much of a word's SHA-256 the list keeps, in bytes: enough that two words hardly ever share it. */
export const KEPT_BYTES = 5;

/** The beginning of a word's hash, as the list holds it. */
export function keptHash(word: string): Buffer {
  return createHash('sha256').update(word).digest().subarray(0, KEPT_BYTES);
}

let list: Buffer | null = null;

/** The list that ships: hashes of words, sorted, one after the other. Read at its first use. */
function words(): Buffer {
  list ??= readFileSync(new URL('common.bin', import.meta.url));
  return list;
}

function isListed(word: string): boolean {
  const sorted = words();
  const wanted = keptHash(word);
  let low = 0;
  let high = sorted.length / KEPT_BYTES;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = sorted.compare(wanted, 0, KEPT_BYTES, middle * KEPT_BYTES, (middle + 1) * KEPT_BYTES);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/**
 * Whether a password is a word that guessers try first, however it is dressed.
 * @param ownWords words that count as known for this account alone, such as the name in its e-mail address
 */
export function isCommon(password: string, ownWords: readonly string[] = []): boolean {
  const own = new Set(
    ownWords.map((word) => word.toLowerCase()).filter((word) => word.length >= SHORTEST_WORD),
  );
  for (const form of formsOf(password)) if (own.has(form) || isListed(form)) return true;
  return false;
}
