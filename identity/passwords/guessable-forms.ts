/** Maximum number of digits and signs around a word that are ignored. */
const MAXIMUM_AFFIXES = 6;

/** Minimum length of a word in characters: nearly every password contains a shorter one. */
export const MINIMUM_WORD = 4;

/** Substitutions that are reverted, one table for each combination. */
const substitutions: readonly Readonly<Record<string, string>>[] = [
  {},
  { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '1': 'i', '!': 'i', '7': 't' },
  { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '1': 'l', '!': 'l', '7': 't' },
  // The same key of a US keyboard without Shift: `!QAZ2wsx` is `1qaz2wsx`.
  { '!': '1', '@': '2', '#': '3', $: '4', '&': '7', '*': '8' },
];

const isLetter = (character: string) => /\p{L}/u.test(character);

function substitute(text: string, table: Readonly<Record<string, string>>): string {
  return Array.from(text, (character) => table[character] ?? character).join('');
}

/**
 * Reduces a password to the words that a guessing program derives it from: in lower case, without up to
 * {@link MAXIMUM_AFFIXES} digits and signs around the word, and with the usual substitutions (`@` for `a`) reverted.
 */
export function guessableForms(password: string): ReadonlySet<string> {
  const characters = Array.from(password.normalize('NFKC').toLowerCase());
  const letters = characters.map(isLetter);
  const first = letters.indexOf(true);
  const last = letters.lastIndexOf(true);
  const forms = new Set<string>();
  if (first < 0) return forms;
  const tail = characters.length - 1 - last;
  for (let before = 0; before <= Math.min(first, MAXIMUM_AFFIXES); before += 1) {
    for (let after = 0; after <= Math.min(tail, MAXIMUM_AFFIXES - before); after += 1) {
      const inner = characters.slice(before, characters.length - after).join('');
      if (inner.length < MINIMUM_WORD) continue;
      for (const table of substitutions) forms.add(substitute(inner, table));
    }
  }
  return forms;
}
