import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Facts,
  factChoices,
  factFields,
  operatingSystems,
  processorFamilies,
  processorGenerations,
  readFacts,
  unreadFields,
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
  expect(unreadFields({ [field]: choice })).toEqual([]);
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
});

test('names the fields of which nothing was understood', () => {
  expect(unreadFields({ Memory: 'lots', Storage: '1 TB', Display: '', Processor: 'quick' })).toEqual([
    'Memory',
    'Processor',
  ]);
});

test('reads any text without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      readFacts(text);
      readFacts({
        Memory: text,
        Storage: text,
        Display: text,
        Processor: text,
        Graphics: text,
        Battery: text,
        Operating: text,
      });
    }),
  );
});
