import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { guessableForms, MINIMUM_WORD } from './guessable-forms.ts';

/** Bytes of each word's SHA-256 that the list contains: enough to make collisions rare. */
export const HASH_BYTES = 5;

/** Returns the first {@link HASH_BYTES} bytes of a word's SHA-256. */
export function truncatedHash(word: string): Buffer {
  return createHash('sha256').update(word).digest().subarray(0, HASH_BYTES);
}

let list: Buffer | null = null;

/** Returns the built-in list: sorted truncated hashes, concatenated. Reads the file at the first call. */
function readList(): Buffer {
  list ??= readFileSync(new URL('common.bin', import.meta.url));
  return list;
}

function isListed(word: string): boolean {
  const sorted = readList();
  const wanted = truncatedHash(word);
  let low = 0;
  let high = sorted.length / HASH_BYTES;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = sorted.compare(wanted, 0, HASH_BYTES, middle * HASH_BYTES, (middle + 1) * HASH_BYTES);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/**
 * Checks whether a password is a common word with the usual variations (see {@link guessableForms}).
 * @param ownWords more words to refuse, such as the name in the account's email address
 */
export function isCommonPassword(password: string, ownWords: readonly string[] = []): boolean {
  const own = new Set(
    ownWords.map((word) => word.toLowerCase()).filter((word) => word.length >= MINIMUM_WORD),
  );
  for (const form of guessableForms(password)) if (own.has(form) || isListed(form)) return true;
  return false;
}
