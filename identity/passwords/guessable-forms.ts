/** The longest row of digits and signs that people put before or after a word, in characters. */
const LONGEST_DECORATION = 6;

/** The shortest word that counts as one: shorter ones stand in nearly every password. */
export const SHORTEST_WORD = 4;

/** Signs and digits that stand for letters, one table for each way of reading them. */
const readings: readonly Readonly<Record<string, string>>[] = [
  {},
  { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '1': 'i', '!': 'i', '7': 't' },
  { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '1': 'l', '!': 'l', '7': 't' },
  // The same key without Shift: `!QAZ2wsx` is `1qaz2wsx`.
  { '!': '1', '@': '2', '#': '3', $: '4', '&': '7', '*': '8' },
];

const isLetter = (character: string) => /\p{L}/u.test(character);

function read(text: string, reading: Readonly<Record<string, string>>): string {
  return Array.from(text, (character) => reading[character] ?? character).join('');
}

/**
 * What a password amounts to for somebody who guesses: itself and the words in it, without capitals, without up to
 * six digits and signs around them, with the usual signs read as the letters they stand for.
 */
export function formsOf(password: string): ReadonlySet<string> {
  const characters = Array.from(password.normalize('NFKC').toLowerCase());
  const letters = characters.map(isLetter);
  const first = letters.indexOf(true);
  const last = letters.lastIndexOf(true);
  const forms = new Set<string>();
  if (first < 0) return forms;
  const tail = characters.length - 1 - last;
  for (let before = 0; before <= Math.min(first, LONGEST_DECORATION); before += 1) {
    for (let after = 0; after <= Math.min(tail, LONGEST_DECORATION - before); after += 1) {
      const inner = characters.slice(before, characters.length - after).join('');
      if (inner.length < SHORTEST_WORD) continue;
      for (const reading of readings) forms.add(read(inner, reading));
    }
  }
  return forms;
}
