import { expect, test } from 'vitest';
import type { ProcessorFamily, ProcessorGeneration } from './fact-names.ts';
import { processorMakers, readProcessor, simplifyProcessor } from './processor-names.ts';

/** Names as operating systems and firmware report them, and as sellers write them, by family and generation. */
const names: readonly [ProcessorFamily, ProcessorGeneration | undefined, readonly string[]][] = [
  [
    'intel-core-i3',
    'intel-1',
    ['Intel(R) Core(TM) i3 CPU       M 350  @ 2.27GHz', 'Intel(R) Core(TM) i3 CPU       M 380  @ 2.53GH '],
  ],
  ['intel-core-i5', 'intel-1', ['Intel(R) Core(TM) i5 CPU       M 520  @ 2.40GHz', 'i5-430UM']],
  [
    'intel-core-i7',
    'intel-1',
    ['Intel(R) Core(TM) i7 CPU       Q 720  @ 1.60GHz', 'Core i7-740QM', 'i7-940XM'],
  ],
  ['intel-core-i5', 'intel-2', ['Intel(R) Core(TM) i5-2435M CPU @ 2.40GHz']],
  ['intel-core-i7', 'intel-4', ['Intel(R) Core(TM) i7-4702MQ CPU @ 2.20GHz', 'Intel Core i7 4770HQ']],
  [
    'intel-core-i5',
    'intel-7',
    ['Intel(R) Core(TM) i5-7Y54 CPU @ 1.20GHz', 'Intel® Core™ i5‑7200U processor'],
  ],
  [
    'intel-core-i7',
    'intel-8',
    ['Intel(R) Core(TM) i7-8750H CPU @ 2.20GHz', 'i7 (8th Gen)', '8th gen Intel Core i7'],
  ],
  ['intel-core-i9', 'intel-9', ['Intel(R) Core(TM) i9-9880H CPU @ 2.30GHz']],
  [
    'intel-core-i5',
    'intel-10',
    ['Intel(R) Core(TM) i5-1035G1 CPU @ 1.00GHz', 'Intel(R) Core(TM) i5-10500H CPU @ 2.50GHz'],
  ],
  ['intel-core-i7', 'intel-11', ['11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz', 'i7-1165G7 16 GB']],
  ['intel-core-i7', 'intel-12', ['12th Gen Intel(R) Core(TM) i7-1260P', 'i7, 12th generation']],
  ['intel-core-i7', 'intel-13', ['13th Gen Intel(R) Core(TM) i7-13700H']],
  ['intel-core-i9', 'intel-14', ['Intel(R) Core(TM) i9-14900HX']],
  ['intel-core-i3', undefined, ['Intel(R) Core(TM) i3-N305', 'Core i3-N300', 'i3']],
  // A seller's size, clock rate or resolution is no model.
  ['intel-core-i5', undefined, ['i5 512 GB SSD', 'Core i5 2400 MHz', 'i5 1920 x 1080', 'i5 720p', 'i5-8 GB']],
  ['intel-core-ultra-7', 'intel-series-1', ['Intel(R) Core(TM) Ultra 7 155H', 'Ultra 7 165U']],
  ['intel-core-ultra-5', 'intel-series-2', ['Intel(R) Core(TM) Ultra 5 226V', 'Core Ultra 5, Series 2']],
  ['intel-core-ultra-9', 'intel-series-2', ['Intel Core Ultra 9 285H']],
  ['intel-core-ultra-9', 'intel-series-3', ['Intel(R) Core(TM) Ultra X9 388H']],
  ['intel-core-ultra-7', 'intel-series-3', ['Core Ultra X7 358H', 'Intel® Core™ Ultra 7 processor 355']],
  [
    'intel-core',
    'intel-series-1',
    ['Intel(R) Core(TM) 7 150U', 'Intel® Core™ 5 processor 120U', 'Core 3 100U'],
  ],
  ['intel-core', 'intel-series-2', ['Intel(R) Core(TM) 5 210H', 'Intel Core 9 270H']],
  ['intel-core', undefined, ['Intel(R) Core(TM) 3 N350']],
  ['intel-core-m', 'intel-5', ['Intel(R) Core(TM) M-5Y10c CPU @ 0.80GHz', 'Intel Core M 5Y71']],
  [
    'intel-core-m',
    'intel-6',
    ['Intel(R) Core(TM) m5-6Y57 CPU @ 1.10GHz', 'm3-6Y30', 'm7-6Y75', 'Core m5 6Y54'],
  ],
  ['intel-core-m', 'intel-7', ['Intel(R) Core(TM) m3-7Y30 CPU @ 1.00GHz', 'Intel Core m3-7Y32']],
  ['intel-core-m', 'intel-8', ['Intel(R) Core(TM) m3-8100Y CPU @ 1.10GHz', 'm3 8100Y']],
  [
    'intel-core-m',
    undefined,
    [
      'Intel m3',
      'Core(TM) m3',
      'Intel Core m5',
      'MacBook 12, Intel Core m3, 1.2 GHz',
      'MacBook Air, Core m5',
    ],
  ],
  [
    'intel-core-2',
    undefined,
    ['Intel(R) Core(TM)2 Duo CPU     P8600  @ 2.40GHz', 'Intel(R) Core(TM)2 CPU         T7200  @ 2.00GHz'],
  ],
  [
    'intel-xeon',
    undefined,
    ['Intel(R) Xeon(R) E-2286M  CPU @ 2.40GHz', 'Intel Xeon W-11955M', 'Xeon E3-1505M v5'],
  ],
  [
    'intel-entry',
    undefined,
    [
      'Intel(R) Celeron(R) CPU  N3060  @ 1.60GHz',
      'Intel(R) Celeron(R) N4020 CPU @ 1.10GHz',
      'Intel Pentium Gold 7505',
      'Pentium(R) Dual-Core CPU       T4200  @ 2.00GHz',
      'Intel(R) Atom(TM) x5-Z8350  CPU @ 1.44GHz',
      'Intel(R) N100',
      'Intel Processor N200',
      'Intel(R) Processor U300',
      'N4500',
    ],
  ],
  ['amd-ryzen-5', 'ryzen-2000', ['AMD Ryzen 5 PRO 2500U w/ Radeon Vega Mobile Gfx']],
  ['amd-ryzen-7', 'ryzen-3000', ['AMD Ryzen 7 3700U with Radeon Vega Mobile Gfx  ', 'Ryzen7 3750H']],
  ['amd-ryzen-7', 'ryzen-5000', ['AMD Ryzen 7 PRO 5850U with Radeon Graphics', 'Ryzen 7-5800H']],
  ['amd-ryzen-5', 'ryzen-7000', ['AMD Ryzen 5 7535HS with Radeon Graphics']],
  ['amd-ryzen-9', 'ryzen-9000', ['AMD Ryzen 9 9955HX3D 16-Core Processor']],
  ['amd-ryzen-5', 'ryzen-200', ['AMD Ryzen 5 220 w/ Radeon 740M Graphics', 'Ryzen 5 PRO 230']],
  ['amd-ryzen-7', 'ryzen-100', ['AMD Ryzen 7 170 with Radeon Graphics']],
  [
    'amd-ryzen-5',
    undefined,
    ['AMD Ryzen 5 Microsoft Surface (R) Edition', 'Ryzen 5 512 GB', 'Ryzen 5 256 SSD'],
  ],
  [
    'amd-ryzen-ai',
    'ryzen-300',
    ['AMD Ryzen AI 9 HX 370 w/ Radeon 890M', 'Ryzen AI Max+ 395', 'AMD Ryzen AI 9 HX PRO 375'],
  ],
  [
    'amd-ryzen-ai',
    'ryzen-300',
    ['AMD Ryzen AI 7 PRO 350 w/ Radeon 860M', 'AMD RYZEN AI MAX+ PRO 395 w/ Radeon 8060S'],
  ],
  ['amd-ryzen-ai', 'ryzen-400', ['AMD Ryzen AI 7 450']],
  [
    'amd-entry',
    undefined,
    [
      'AMD A12-9720P RADEON R7, 12 COMPUTE CORES 4C+8G',
      'AMD PRO A10-8700B R6, 10 Compute Cores 4C+6G',
      'AMD A10 PRO-7350B R6, 10 Compute Cores 4C+6G',
      'A6-9225',
      'AMD A4 Micro-6400T APU + AMD Radeon R3 Graphics',
      'AMD E2-9000 RADEON R2, 4 COMPUTE CORES 2C+2G',
      'AMD E-350 APU with Radeon(tm) HD Graphics',
      'AMD C-60 APU with Radeon(tm) HD Graphics',
      'AMD FX-9830P RADEON R7, 12 COMPUTE CORES 4C+8G',
      'AMD Athlon Silver 3050U with Radeon Graphics',
      'AMD Turion(tm) II P520 Dual-Core Processor',
      'AMD 3020e with Radeon Graphics',
    ],
  ],
  [
    'snapdragon',
    undefined,
    [
      'Snapdragon(R) X Elite - X1E80100 - Qualcomm(R) Oryon(TM) CPU',
      'Snapdragon (TM) 8cx Gen 3 @ 3.0 GHz',
      'Qualcomm Snapdragon 7c Gen 2',
      'Microsoft SQ1 @ 3.0 GHz',
    ],
  ],
  ['arm-entry', undefined, ['MediaTek Kompanio 500 (MT8183)', 'MediaTek MT8183', 'MediaTek Kompanio 1200']],
  ['apple', 'apple-1', ['Apple M1', 'MacBook Air (M1, 2020)', 'Apple M1 Max']],
  [
    'apple',
    'apple-2',
    ['M2, 8-core CPU, 10-core GPU', '2022 MacBook Air with M2 chip', 'MacBook Pro 13-inch M2'],
  ],
  ['apple', 'apple-3', ['M3', 'Apple M3 Pro', 'M3 Max']],
  ['apple', 'apple-4', ['Apple M4 Max', 'MacBook Pro 14 2024 M4 Pro']],
  ['apple', 'apple-5', ['Apple M5']],
  ['apple', undefined, ['Apple silicon', 'Apple M-series', 'Apple M6']],
];

const lower = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');

const rows = names.flatMap(([family, generation, texts]) =>
  texts.map((text) => [text, family, generation] as const),
);

test.each(rows)('“%s” is %s, %s', (text, processor, generation) => {
  expect(readProcessor(lower(text))).toEqual({ processor, ...(generation !== undefined && { generation }) });
});

test.each(rows)('“%s” is a name in the scheme of %s only', (text, family) => {
  const schemes = processorMakers.flatMap((maker) => maker.schemes);
  const matching = schemes.flatMap((scheme) => {
    const [match] = simplifyProcessor(lower(text)).matchAll(scheme.pattern);
    return match === undefined ? [] : [scheme.family(match.groups ?? {})];
  });
  expect(matching).toEqual([family]);
});

test.each([
  'Intel',
  'AMD',
  'Genuine Intel(R) CPU',
  'CPU Version',
  'AMD Ryzen Threadripper 1950X 16-Core Processor',
  'AMD Ryzen Z1 Extreme',
  'AMD Ryzen AI Z2 Extreme',
  'VirtualApple @ 2.50GHz processor',
  'Apple A18 Pro',
  'Cortex-A72',
  '8-core 3.8 GHz',
  // Of two makers, or two families.
  'Intel Core i5 or AMD Ryzen 5',
  'Intel Core i5 / i7',
  // Names of one maker's family after the name of another maker.
  'Intel, M3 Pro',
  'AMD i5',
  // The drive of a MacBook, and its processors of 2015 to 2017 without their maker.
  'M2 SSD',
  'm7',
  'MacBook 12 with m3 1.1 GHz',
])('“%s” is no known processor', (text) => {
  expect(readProcessor(lower(text))).toEqual({});
});

test.each([
  ['amd ryzen 5 5600u, intel ax200 wi-fi', 'amd-ryzen-5'],
  ['i5-8250u, amd radeon 530, qualcomm atheros wi-fi, 256 gb m2 ssd', 'intel-core-i5'],
  ['apple macbook pro 2017, i7-7700hq', 'intel-core-i7'],
  ['dell latitude, i5-8365u, 8-core 5 ghz', 'intel-core-i5'],
  ['ryzen 7 5800x 8-core 3.8 ghz', 'amd-ryzen-7'],
  ['lenovo thinkpad x1 carbon 9th gen, i7-1165g7', 'intel-core-i7'],
])('other makers’ parts in “%s” do not hide the processor', (text, family) => {
  expect(readProcessor(text).processor).toBe(family);
});

test('the generation of a laptop is not the one of its processor', () => {
  expect(readProcessor('lenovo thinkpad x1 carbon 9th gen, intel core i7')).toEqual({
    processor: 'intel-core-i7',
  });
});
