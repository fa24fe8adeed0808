// Writes identity/passwords/common.bin from lists of passwords and names, one per line:
// node scripts/common-passwords.ts LIST…
import { readFileSync, writeFileSync } from 'node:fs';
import { HASH_BYTES, truncatedHash } from '../identity/passwords/common-passwords.ts';
import { MINIMUM_WORD } from '../identity/passwords/guessable-forms.ts';

const words = new Set<string>();
for (const path of process.argv.slice(2)) {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const word = line.trim().toLowerCase();
    // The password rule requires a capital letter, so a password without letters is refused anyway.
    if (word.length >= MINIMUM_WORD && /\p{L}/u.test(word)) words.add(word);
  }
}
const hashes = [...words].map(truncatedHash).sort(Buffer.compare);
writeFileSync(new URL('../identity/passwords/common.bin', import.meta.url), Buffer.concat(hashes));
process.stdout.write(`${words.size} words, ${hashes.length * HASH_BYTES} bytes\n`);
