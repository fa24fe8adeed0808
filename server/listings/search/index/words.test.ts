import { expect, test } from 'vitest';
import { splitWords } from './words.ts';

test.each([
  ['HP EliteBook 840 G5', ['hp', 'elitebook', '840', 'g5']],
  ['16 GB', ['16gb']],
  ['16GB', ['16gb']],
  ['16 GiB', ['16gb']],
  ['512GB SSD, 1 TB HDD', ['512gb', 'ssd', '1tb', 'hdd']],
  ['1.5tb', ['1.5tb']],
  ['0.5tb 0,25 TB .5gb', ['512gb', '256gb', '5gb']],
  ['1000GB 1024 GB 2000 gb 500gb', ['1tb', '1tb', '2tb', '500gb']],
  ['14"', ['14in']],
  ['15,6″ Full HD', ['15in', 'fullhd']],
  ['touch screen 1920x1080', ['touchscreen', '1920', '1080']],
  ['13.3-inch', ['13in']],
  ['14inch', ['14in']],
  ["17''", ['17in']],
  ['2-in-1, 2in1', ['2in1', '2in1']],
  ['i7-1165G7 2.80GHz', ['i7', '1165g7', '2.80ghz']],
  ['Portégé Très Bon', ['portege', 'tres', 'bon']],
  ['Dell laptop with charger', ['dell', 'charger']],
  ['Ноутбук Lenovo', ['ноутбук', 'lenovo']],
  // What is written as one word or two is always two.
  ['XPS13 XPS-13 XPS 13', ['xps', '13', 'xps', '13', 'xps', '13']],
  ['rtx3060 RTX 3060 RX6600M', ['rtx', '3060', 'rtx', '3060', 'rx', '6600m']],
  ['RTX 3060 Ti rtx3060ti', ['rtx', '3060ti', 'rtx', '3060ti']],
  ['EliteBook840G5 840 G5', ['elitebook', '840', 'g5', '840', 'g5']],
  ['Ryzen5 win11 ssd512gb usb3.0', ['ryzen', '5', 'win', '11', 'ssd', '512gb', 'usb', '3.0']],
  ['i7 T480 M1 1165G7', ['i7', 't480', 'm1', '1165g7']],
  ['DDR4 ddr 4 LPDDR4x, DDR4-3200', ['ddr4', 'ddr4', 'lpddr4x', 'ddr4', '3200']],
  ['6 cores, 400 nits, 57Wh, 64-bit', ['6cores', '400nits', '57wh', '64bit']],
  // Characters that are not displayed do not end a word.
  ['Elite\u200bBook X\u00adPS \ufeff\u202d16\u2060GB\u202c', ['elitebook', 'xps', '16gb']],
  ['', []],
  ['!?', []],
])('%s', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
