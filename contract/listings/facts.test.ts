import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factOfField } from '#tests/harness/listings/fact-of-field.ts';
import { processorTime } from '#tests/harness/platform/processor-time.ts';
import {
  type FactField,
  type Facts,
  factChoices,
  factFields,
  operatingSystems,
  processorFamilies,
  processorGenerations,
  readFacts,
} from './facts.ts';

const read = (field: string, text: string): Facts => readFacts({ [field]: text });

test.each<[string, string, Facts]>([
  ['Memory', '16 GB DDR4', { memory: 16 }],
  ['Memory', '8GB', { memory: 8 }],
  ['Memory', '2 x 8 GB DDR5-4800', { memory: 16 }],
  ['Memory', '32 GiB LPDDR5', { memory: 32 }],
  ['Memory', 'plenty', {}],
  ['Memory', '512 GB', {}],
  ['Storage', '512 GB NVMe SSD', { storage: 512 }],
  ['Storage', '500GB HDD', { storage: 512 }],
  ['Storage', '1 TB SSD', { storage: 1024 }],
  ['Storage', '1.0TB', { storage: 1024 }],
  ['Storage', '256 GB SSD + 1 TB HDD', { storage: 1024 }],
  ['Storage', '320 GB', { storage: 320 }],
  ['Display', '13.5″ IPS, 1920 x 1280', { screen: 13.5 }],
  ['Display', '15.6-inch Full HD', { screen: 15.6 }],
  ['Display', '14 in', { screen: 14 }],
  ['Display', '1920 x 1080', {}],
  ['Display', '15,6" Full HD', { screen: 15.6 }],
  ['Display', '13.3in', { screen: 13.3 }],
  ['Display', '35.6 cm', { screen: 14 }],
  ['Display', '39,6 cm (15,6 Zoll)', { screen: 15.6 }],
  ['Display', '15"6 Full HD', { screen: 15.6 }],
  ['Display', '14" 1920 x 1080', { screen: 14 }],
  ['Display', '31.2 x 22.1 cm', {}],
  ['Display', '14" or 15.6"', {}],
  ['Display', '2-in-1, 14 in 1920 x 1200', { screen: 14 }],
  ['Processor', 'Intel Core i7-1165G7', { processor: 'intel-core-i7', generation: 'intel-11' }],
  ['Processor', 'Core i5 8250U', { processor: 'intel-core-i5', generation: 'intel-8' }],
  ['Processor', 'Intel® Core™ i5-10310U', { processor: 'intel-core-i5', generation: 'intel-10' }],
  ['Processor', 'Intel Core i3, 12th generation', { processor: 'intel-core-i3', generation: 'intel-12' }],
  ['Processor', 'i5-520M', { processor: 'intel-core-i5', generation: 'intel-1' }],
  ['Processor', 'Intel Core Ultra 7 155H', { processor: 'intel-core-ultra-7', generation: 'intel-series-1' }],
  ['Processor', 'Intel Core 5 120U', { processor: 'intel-core', generation: 'intel-series-1' }],
  ['Processor', 'AMD Ryzen 7 PRO 5850U', { processor: 'amd-ryzen-7', generation: 'ryzen-5000' }],
  [
    'Processor',
    'Intel Core Ultra 7 (Series 2)',
    { processor: 'intel-core-ultra-7', generation: 'intel-series-2' },
  ],
  ['Processor', 'Ryzen 7, 5000 series', { processor: 'amd-ryzen-7', generation: 'ryzen-5000' }],
  ['Processor', 'Ryzen 5 PRO 4000 series', { processor: 'amd-ryzen-5', generation: 'ryzen-4000' }],
  ['Processor', 'AMD Ryzen 5, 2100 MHz', { processor: 'amd-ryzen-5' }],
  ['Processor', 'AMD Ryzen AI 9 HX 370', { processor: 'amd-ryzen-ai', generation: 'ryzen-300' }],
  ['Processor', 'Intel Celeron N4020', { processor: 'intel-entry' }],
  ['Processor', 'Snapdragon X Elite', { processor: 'snapdragon' }],
  ['Processor', 'Apple M2 Pro', { processor: 'apple', generation: 'apple-2' }],
  ['Processor', 'fast', {}],
  ['Graphics', 'Intel Iris Xe', { graphics: 'integrated' }],
  ['Graphics', 'AMD Radeon Graphics', { graphics: 'integrated' }],
  ['Graphics', 'NVIDIA GeForce RTX 3060, 6 GB', { graphics: 'geforce' }],
  ['Graphics', 'NVIDIA RTX A2000', { graphics: 'nvidia-workstation' }],
  ['Graphics', 'Quadro T2000', { graphics: 'nvidia-workstation' }],
  ['Graphics', 'AMD Radeon RX 6600M', { graphics: 'radeon' }],
  ['Graphics', 'Intel Arc A370M', { graphics: 'arc' }],
  ['Battery', '57 Wh, 86 % health', { battery: 86 }],
  ['Battery', '63 Wh, 88% of its capacity left', { battery: 88 }],
  ['Battery', 'Maximum capacity: 91 percent', { battery: 91 }],
  ['Battery', '90%+', { battery: 90 }],
  ['Battery', '88.6 %', { battery: 88 }],
  ['Battery', '104 % health', { battery: 104 }],
  ['Battery', '91% health (91% of 57 Wh)', { battery: 91 }],
  ['Battery', 'new in August', {}],
  ['Battery', '57 Wh', {}],
  ['Battery', 'always charged to 80 %', {}],
  ['Battery', '12 % wear', {}],
  ['Battery', 'lost 9 % of its capacity', {}],
  ['Battery', 'under 80 %', {}],
  ['Battery', '80-85 %', {}],
  ['Battery', '80 to 85 %', {}],
  ['Battery', '91 % or 85 %, depending on the tool', {}],
  ['Battery', '0 %', {}],
  ['Battery', '200 %', {}],
  ['Operating', 'Windows 11 Pro', { system: 'windows-11' }],
  ['Operating', 'Win10', { system: 'windows-10' }],
  ['Operating', 'Ubuntu 24.04', { system: 'linux' }],
  ['Operating', 'Chrome OS', { system: 'chromeos' }],
  ['Operating', 'FreeDOS', { system: 'none' }],
  ['Operating', 'Windows 10 Pro, upgradeable to Windows 11', { system: 'windows-10' }],
  ['Operating', 'Windows 10 (Windows 11 ready)', { system: 'windows-10' }],
  ['Operating', 'Windows 10/11', {}],
  ['Operating', 'Windows 7 and Windows 10', {}],
  ['Operating', 'Windows 10 or Windows 11', {}],
  ['Operating', 'Windows 11 and Ubuntu', { system: 'windows-11' }],
  ['Operating', 'Microsoft Windows 8.1 Pro', { system: 'windows-older' }],
  ['Operating', 'OS X 10.11 El Capitan', { system: 'macos' }],
  ['Operating', 'Mint', { system: 'linux' }],
])('reads %s “%s”', (field, text, facts) => {
  expect(read(field, text)).toEqual(facts);
});

test('reads the names under which buyers filter', () => {
  for (const [code, name] of Object.entries(processorFamilies)) {
    expect(read('Processor', name).processor, name).toBe(code);
  }
  for (const [code, name] of Object.entries(operatingSystems)) {
    expect(read('Operating', name).system, name).toBe(code);
  }
});

const choices = factFields.flatMap((field) => factChoices[field].map((choice) => [field, choice] as const));

test.each(choices)('reads the offered %s “%s”', (field, choice) => {
  expect(read(field, choice)).toHaveProperty(factOfField[field]);
});

test('reads the generation in each offered processor that names one', () => {
  for (const choice of factChoices.Processor) {
    const { generation } = read('Processor', choice);
    const name = generation && processorGenerations[generation];
    const [, stated] = choice.split(', ');
    if (stated === undefined) expect(name === undefined || name === choice, choice).toBe(true);
    else expect(name?.toLowerCase(), choice).toContain(stated.toLowerCase());
  }
});

test('reads a plain text only where its words say what a number is', () => {
  expect(
    readFacts(
      'Dell Latitude with an i5-1135G7, 16 GB RAM and a 512 GB SSD, 14″, Windows 11. The 65 W charger has a 3 GB manual.',
    ),
  ).toEqual({
    memory: 16,
    storage: 512,
    screen: 14,
    processor: 'intel-core-i5',
    generation: 'intel-11',
    system: 'windows-11',
  });
  expect(readFacts('Comes without its box. 8 GB stick included.')).toEqual({});
  expect(readFacts('The battery health is 91 %, the battery was charged to 80%.')).toEqual({ battery: 91 });
  expect(readFacts('100% working, battery charged to 80% for most of its life')).toEqual({});
  expect(readFacts('In mint condition, 12 in total. The 65 W 10 m cable is 35.6 cm longer.')).toEqual({});
  expect(readFacts('Processor: i7-8565U\nRAM: 16 GB\nSSD: 512 GB\nReady for Windows 11')).toEqual({
    memory: 16,
    storage: 512,
    processor: 'intel-core-i7',
    generation: 'intel-8',
  });
});

/** Laptops of many makers, as their sellers list them. */
const laptops: readonly [string, Partial<Record<FactField, string>>, Facts][] = [
  [
    'Lenovo ThinkPad T14 Gen 3',
    {
      Processor: 'AMD Ryzen 5 PRO 6650U with Radeon Graphics',
      Graphics: 'AMD Radeon(TM) 660M',
      Display: '14" WUXGA (1920 x 1200), matte',
      Memory: '16 GB LPDDR5 soldered + 16 GB SO-DIMM',
      Storage: '512GB M.2 NVMe',
      Battery: '52.5 Wh, 94%',
      Operating: 'Windows 11 Pro',
    },
    {
      memory: 32,
      storage: 512,
      screen: 14,
      processor: 'amd-ryzen-5',
      generation: 'ryzen-6000',
      graphics: 'integrated',
      system: 'windows-11',
      battery: 94,
    },
  ],
  [
    'Apple MacBook Pro 14 (2023)',
    {
      Processor: 'Apple M3 Pro',
      Graphics: 'Apple M3 Pro, 14-core GPU',
      Display: '14-inch Liquid Retina XDR',
      Memory: '18 GB unified memory',
      Storage: '512 GB SSD',
      Battery: 'Maximum capacity 97\u00a0%',
      Operating: 'macOS Sequoia',
    },
    {
      memory: 18,
      storage: 512,
      screen: 14,
      processor: 'apple',
      generation: 'apple-3',
      graphics: 'integrated',
      system: 'macos',
      battery: 97,
    },
  ],
  [
    'Apple MacBook 12 (2017)',
    { Processor: 'Intel Core m3-7Y32', Display: '12″ Retina', Memory: '8 GB', Storage: '256 GB' },
    { memory: 8, storage: 256, screen: 12, processor: 'intel-core-m', generation: 'intel-7' },
  ],
  [
    'Acer Aspire 5',
    {
      Processor: 'Intel Core i5-1035G1',
      Graphics: 'NVIDIA GeForce MX350',
      Display: '15,6" Full HD',
      Memory: '8 GB DDR4, expandable to 20 GB',
      Storage: '512 GB SSD, free 2.5" slot',
    },
    {
      memory: 8,
      storage: 512,
      screen: 15.6,
      processor: 'intel-core-i5',
      generation: 'intel-10',
      graphics: 'geforce',
    },
  ],
  [
    'ASUS ROG Zephyrus G14',
    {
      Processor: 'AMD Ryzen 9 8945HS w/ Radeon 780M Graphics',
      Graphics: 'AMD Radeon 780M + NVIDIA GeForce RTX 4070 Laptop GPU',
      Display: '14.0-inch OLED 120 Hz',
      Memory: '32GB (2x16GB) LPDDR5X',
      Storage: '1 TB NVMe',
    },
    {
      memory: 32,
      storage: 1024,
      screen: 14,
      processor: 'amd-ryzen-9',
      generation: 'ryzen-8000',
      graphics: 'geforce',
    },
  ],
  [
    'Framework Laptop 13',
    {
      Processor: 'AMD Ryzen AI 9 HX 370 w/ Radeon 890M',
      Graphics: 'Radeon 890M',
      Display: '13.5″ 2880 × 1920',
      Memory: '96 GB (2 × 48 GB DDR5-5600)',
      Storage: '2 TB WD Black SN850X',
      Operating: 'Fedora 42',
    },
    {
      memory: 96,
      storage: 2048,
      screen: 13.5,
      processor: 'amd-ryzen-ai',
      generation: 'ryzen-300',
      graphics: 'integrated',
      system: 'linux',
    },
  ],
  [
    'Microsoft Surface Pro X',
    {
      Processor: 'Microsoft SQ1 @ 3.0 GHz',
      Graphics: 'Microsoft SQ1 Adreno 685 GPU',
      Display: '13-inch PixelSense',
      Memory: '8 GB (7.6 GB usable)',
      Storage: '238 GB',
    },
    { memory: 8, storage: 256, screen: 13, processor: 'snapdragon', graphics: 'integrated' },
  ],
  [
    'Microsoft Surface Laptop 3',
    { Processor: 'AMD Ryzen 5 Microsoft Surface (R) Edition', Memory: '16 GB', Display: '15"' },
    { memory: 16, screen: 15, processor: 'amd-ryzen-5' },
  ],
  [
    'Samsung Galaxy Book4 Edge',
    {
      Processor: 'Snapdragon(R) X Elite - X1E84100 - Qualcomm(R) Oryon(TM) CPU',
      Graphics: 'Qualcomm(R) Adreno(TM) X1-85 GPU',
      Display: '40.6 cm (16")',
      Memory: '16 Go',
      Storage: '1 To',
    },
    { memory: 16, storage: 1024, screen: 16, processor: 'snapdragon', graphics: 'integrated' },
  ],
  [
    'LG gram 17',
    {
      Processor: 'Intel(R) Core(TM) Ultra 7 155H',
      Graphics: 'Intel(R) Arc(TM) Graphics',
      Display: '17.0" WQXGA',
      Memory: '16384 MB',
      Storage: '1,5 TB (1 TB + 512 GB)',
    },
    {
      memory: 16,
      storage: 1024,
      screen: 17,
      processor: 'intel-core-ultra-7',
      generation: 'intel-series-1',
      graphics: 'integrated',
    },
  ],
  [
    'Fujitsu LIFEBOOK U9312',
    {
      Processor: '12th Gen Intel(R) Core(TM) i7-1265U',
      Graphics: 'Intel(R) Iris(R) Xe Graphics',
      Display: '33.8 cm',
      Memory: '32,0 GB (31,7 GB verwendbar)',
      Storage: '931 GB',
    },
    {
      memory: 32,
      storage: 1024,
      screen: 13.3,
      processor: 'intel-core-i7',
      generation: 'intel-12',
      graphics: 'integrated',
    },
  ],
  [
    'Toshiba Satellite L500',
    {
      Processor: 'Pentium(R) Dual-Core CPU       T4200  @ 2.00GHz',
      Graphics: 'ATI Mobility Radeon HD 4650',
      Memory: '3 GB DDR2 (2 GB + 1 GB)',
      Storage: '320 GB HDD',
      Operating: 'Windows 7 Home Premium',
    },
    {
      memory: 3,
      storage: 320,
      processor: 'intel-entry',
      graphics: 'radeon',
      system: 'windows-older',
    },
  ],
  [
    'MSI GL72M 7RDX',
    {
      Processor: 'Intel(R) Core(TM) i7-7700HQ CPU @ 2.80GHz',
      Graphics: 'Intel HD Graphics 630, GeForce GTX 1050',
      Display: '17.3 inch',
      Memory: '12 GB (4 GB + 8 GB)',
      Storage: '128 GB NVMe + 1 TB HDD',
    },
    {
      memory: 12,
      storage: 1024,
      screen: 17.3,
      processor: 'intel-core-i7',
      generation: 'intel-7',
      graphics: 'geforce',
    },
  ],
  [
    'HUAWEI MateBook D 15',
    {
      Processor: 'AMD Ryzen 5 3500U with Radeon Vega Mobile Gfx',
      Graphics: 'AMD Radeon(TM) Vega 8 Graphics',
      Memory: '8 GB (5.9 GB usable)',
      Storage: '256 GB',
    },
    {
      memory: 8,
      storage: 256,
      processor: 'amd-ryzen-5',
      generation: 'ryzen-3000',
      graphics: 'integrated',
    },
  ],
  [
    'Lenovo IdeaPad Duet Chromebook',
    {
      Processor: 'MediaTek Kompanio 500 (MT8183)',
      Graphics: 'Mali-G72 MP3',
      Display: '10.1"',
      Memory: '4 GB LPDDR4X',
      Storage: '64 GB eMMC (microSD up to 2 TB)',
      Operating: 'ChromeOS',
    },
    {
      memory: 4,
      storage: 64,
      screen: 10.1,
      processor: 'arm-entry',
      graphics: 'integrated',
      system: 'chromeos',
    },
  ],
];

test.each(laptops)('reads the configuration of a %s', (_, texts, facts) => {
  expect(readFacts(texts)).toEqual(facts);
});

const everywhere = (text: string) =>
  Object.fromEntries(factFields.map((field) => [field, text])) as Record<FactField, string>;

test('reads any text without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      readFacts(text);
      readFacts(everywhere(text));
    }),
  );
});

/** Parts of texts that the expressions look for, and what they count. */
const parts = fc.constantFrom(
  ...[
    '1',
    '16',
    '8 x ',
    'gb',
    ' gb ',
    ' + ',
    '(',
    ')',
    ',',
    '.',
    ' ',
    '\n',
    '-',
    '/',
    'or ',
    'up to ',
    'ram ',
    'ssd ',
  ],
  ...[
    'i5',
    'i7-',
    'm3',
    'core ',
    'intel ',
    '8th gen ',
    'ultra 7 ',
    'ryzen ',
    'ai ',
    'macbook pro ',
    'apple ',
    'amd a',
  ],
  ...[
    'radeon ',
    'r5 ',
    'hd ',
    'vega ',
    'rtx ',
    'arc ',
    '"',
    ' in',
    ' cm',
    '%',
    ' to ',
    'battery health ',
    'windows ',
  ],
);

test('the time of reading grows with the length of a text, not with its square', { tags: 'long' }, () => {
  // Far longer than any field. With the square of the length, this would take minutes.
  const repeated = fc
    .array(parts, { minLength: 1, maxLength: 4 })
    .map((chosen) => chosen.join('').repeat(100_000).slice(0, 100_000));
  fc.assert(
    fc.property(repeated, (text) => {
      const time = processorTime(() => {
        readFacts(text);
        readFacts(everywhere(text));
      });
      expect(time).toBeLessThan(2000);
    }),
    { numRuns: 60 },
  );
});
