// Makes identity/passwords/common.bin from lists of passwords and names, one per line:
// node scripts/common-passwords.ts LIST…
import { readFileSync, writeFileSync } from 'node:fs';
import { KEPT_BYTES, keptHash } from '../identity/passwords/common-passwords.ts';
import { SHORTEST_WORD } from '../identity/passwords/guessable-forms.ts';

const words = new Set<string>();
for (const path of process.argv.slice(2)) {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const word = line.trim().toLowerCase();
    // The shop asks for a capital, so what has no letter can never be chosen.
    if (word.length >= SHORTEST_WORD && /\p{L}/u.test(word)) words.add(word);
  }
}
const hashes = [...words].map(keptHash).sort(Buffer.compare);
writeFileSync(new URL('../identity/passwords/common.bin', import.meta.url), Buffer.concat(hashes));
process.stdout.write(`${words.size} words, ${hashes.length * KEPT_BYTES} bytes\n`);
