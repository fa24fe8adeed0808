import { expect, test } from 'vitest';
import { splitWords } from './words.ts';

test.each([
  ['HP EliteBook 840 G5', ['hp', 'elitebook', '840', 'g5']],
  ['16 GB', ['16gb']],
  ['16GB', ['16gb']],
  ['16 GiB', ['16gb']],
  ['512GB SSD, 1 TB HDD', ['512gb', 'ssd', '1tb', 'hdd']],
  ['1.5tb', ['1.5tb']],
  ['14"', ['14in']],
  ['15,6″ Full HD', ['15in', 'full', 'hd']],
  ['13.3-inch', ['13in']],
  ['14inch', ['14in']],
  ["17''", ['17in']],
  ['2-in-1', ['2', 'in', '1']],
  ['i7-1165G7 2.80GHz', ['i7', '1165g7', '2.80ghz']],
  ['Portégé Très Bon', ['portege', 'tres', 'bon']],
  ['Dell laptop with charger', ['dell', 'charger']],
  ['Ноутбук Lenovo', ['ноутбук', 'lenovo']],
  ['', []],
  ['!?', []],
])('%s', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
