import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitWords } from './index/words.ts';
import { displaySpelling } from './suggest-laptops.ts';

test.each([
  ['elitebook 840', 'HP EliteBook 840 G8 HP', 'EliteBook 840'],
  ['xps 13in', 'Dell XPS 13 Plus Dell', 'XPS 13″'],
  ['portege 16gb 1tb', 'Portégé X30 Toshiba', 'Portégé 16 GB 1 TB'],
  ['144hz 3.2ghz', '', '144 Hz 3.2 GHz'],
  ['1165g7', 'Swift i7-1165G7', '1165G7'],
  ['nvidia windows 11 intel ryzen chromeos', '', 'NVIDIA Windows 11 Intel Ryzen ChromeOS'],
  ['xps 13', 'Dell XPS13', 'XPS 13'],
  ['elitebook', 'Elite\u00adBook 840', 'EliteBook'],
  ['rtx 3060ti 4cores 64bit', 'Legion', 'RTX 3060 Ti 4 cores 64-bit'],
  ['iris xe nvme ssd', 'Swift', 'Iris Xe NVMe SSD'],
  ['charger', 'With a charger', 'charger'],
])('%s, of a laptop named “%s”, is written %s', (text, title, written) => {
  expect(displaySpelling(text, title)).toBe(written);
});

test('the written words are the same words, whatever the name', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(name, name, (title, typed) => {
      const text = splitWords(title).slice(0, 5).join(' ');
      for (const words of [text, splitWords(typed).join(' ')]) {
        if (splitWords(words).join(' ') !== words) continue;
        expect(splitWords(displaySpelling(words, title)).join(' ')).toBe(words);
      }
    }),
  );
});
