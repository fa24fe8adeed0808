import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factChoices, readFacts } from './facts.ts';
import type { Machine } from './machine.ts';
import { compareConfiguration, measuredTexts } from './measured-configuration.ts';

const nothing: Machine = {
  maker: null,
  model: null,
  serial: null,
  firmwareDate: null,
  processor: null,
  memory: null,
  drives: [],
  screen: null,
  graphics: [],
  system: null,
  battery: null,
  locks: {
    firmwarePassword: 'unknown',
    absolute: 'unknown',
    management: 'unknown',
    activationLock: 'unknown',
  },
  tpm: 'unknown',
};
const drive = (gigabytes: number, kind: 'SSD' | 'HDD' | 'eMMC' | null) => ({
  model: 'Drive',
  gigabytes,
  kind,
  hours: null,
  wear: null,
  healthy: null,
});

test('a laptop without readings fills nothing', () => {
  expect(measuredTexts(nothing)).toEqual({});
});

test('texts have the form of the choices', () => {
  const texts = measuredTexts({
    ...nothing,
    processor: { value: '11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz', source: 'system' },
    memory: { value: 16, source: 'firmware' },
    drives: [drive(512, 'SSD'), drive(2000, 'HDD')],
    screen: { value: { inches: 15.5, width: 1920, height: 1080 }, source: 'screen' },
    graphics: [
      'Intel Corporation TigerLake-LP GT2 [Iris Xe Graphics]',
      'NVIDIA Corporation TU117M [GeForce GTX 1650 Mobile / Max-Q]',
    ],
    system: { value: 'Microsoft Windows 11 Pro', source: 'system' },
    battery: { value: { health: 86, designMwh: 57_020, fullMwh: 49_000, cycles: 200 }, source: 'battery' },
  });
  expect(texts).toEqual({
    Processor: 'Intel Core i7-1165G7',
    Memory: '16 GB',
    Storage: '2 TB HDD + 512 GB SSD',
    Display: '15.6″, 1920 × 1080',
    Graphics: 'NVIDIA GeForce GTX 1650 Mobile / Max-Q',
    Operating: 'Windows 11 Pro',
    Battery: '57 Wh, 86 % health',
  });
  expect(factChoices.Memory).toContain(texts.Memory);
  expect(factChoices.Operating).toContain(texts.Operating);
});

test.each([
  ['AMD Ryzen 7 5825U with Radeon Graphics', 'AMD Ryzen 7 5825U'],
  ['AMD Ryzen 5 PRO 4650U with Radeon Graphics', 'AMD Ryzen 5 PRO 4650U'],
  ['Intel(R) Core(TM) Ultra 7 155H', 'Intel Core Ultra 7 155H'],
  ['Intel(R) Celeron(R) N4020 CPU @ 1.10GHz', 'Intel Celeron N4020'],
  ['Apple M2', 'Apple M2'],
  ['Intel(R) Core(TM) m3-7Y30 CPU @ 1.00GHz', 'Intel Core m3-7Y30'],
  ['Intel(R) Core(TM) 7 150U', 'Intel Core 7 150U'],
  ['Intel(R) Core(TM)2 Duo CPU     P8600  @ 2.40GHz', 'Intel Core 2 Duo P8600'],
  ['AMD Ryzen AI 9 HX 370 w/ Radeon 890M', 'AMD Ryzen AI 9 HX 370'],
  ['a new maker’s chip', undefined],
])('the processor %s is written as %s', (value, text) => {
  expect(measuredTexts({ ...nothing, processor: { value, source: 'system' } }).Processor).toBe(text);
});

test.each([
  ['Apple M3', 'Intel(R) Core(TM) m3-7Y30 CPU @ 1.00GHz'],
  ['Intel Core i7', 'Intel(R) Core(TM) 7 150U'],
  ['Intel Core Ultra 7', 'Intel(R) Core(TM) Ultra X9 388H'],
])('a listed %s contradicts a measured %s', (Processor, value) => {
  const machine: Machine = { ...nothing, processor: { value, source: 'system' } };
  const contradictions = compareConfiguration(
    { facts: readFacts({ Processor }), description: { Processor } },
    machine,
  );
  expect(contradictions).toEqual([{ field: 'Processor', listed: Processor, measured: value }]);
});

test.each([
  ['NVIDIA GeForce RTX 3060', ['AMD Radeon(TM) R7 M360'], true],
  ['AMD Radeon R7 M360', ['Intel(R) HD Graphics 5500', 'AMD Radeon(TM) R7 M360'], false],
  // Which NVIDIA it is, nobody knows.
  ['NVIDIA RTX A2000', ['NVIDIA Corporation Device [10de:28e0]'], false],
])('a listed %s beside measured %s is a contradiction: %s', (Graphics, graphics, isContradiction) => {
  const contradictions = compareConfiguration(
    { facts: readFacts({ Graphics }), description: { Graphics } },
    { ...nothing, graphics },
  );
  expect(contradictions.length > 0).toBe(isContradiction);
});

/** As the systems of laptops report them. */
const reported = [
  ...[
    'Intel(R) Core(TM) m3-7Y30 CPU @ 1.00GHz',
    'Intel(R) Core(TM) i5 CPU       M 520  @ 2.40GHz',
    'Apple M3 Pro',
  ],
  ...[
    'AMD PRO A10-8700B R6, 10 Compute Cores 4C+6G',
    'Snapdragon(R) X Elite - X1E80100 - Qualcomm(R) Oryon(TM) CPU',
  ],
  ...['NVIDIA Corporation AD107GLM [RTX 2000 Ada Generation Laptop GPU]', 'AMD Radeon(TM) R7 M360'],
  ...['Intel(R) Arc(TM) 140V GPU (16GB)', 'NVIDIA Corporation Device [10de:28e0]', 'AMD Radeon(TM) Graphics'],
];
const line = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.constantFrom(...reported),
  fc.constantFrom(...factChoices.Processor, ...factChoices.Graphics, ...factChoices.Operating),
);
const machines: fc.Arbitrary<Machine> = fc
  .record({
    processor: fc.record({ value: line, source: fc.constant('system' as const) }),
    memory: fc.record({ value: fc.integer({ min: 1, max: 1024 }), source: fc.constant('firmware' as const) }),
    drives: fc.array(
      fc
        .tuple(fc.integer({ min: 8, max: 40_000 }), fc.constantFrom('SSD' as const, 'HDD' as const, null))
        .map(([size, kind]) => drive(size, kind)),
      { maxLength: 6 },
    ),
    screen: fc.record({
      value: fc.record({
        inches: fc.integer({ min: 70, max: 250 }).map((tenths) => tenths / 10),
        width: fc.integer({ min: 1, max: 8000 }),
        height: fc.integer({ min: 1, max: 8000 }),
      }),
      source: fc.constant('screen' as const),
    }),
    graphics: fc.array(line, { maxLength: 4 }),
    system: fc.record({ value: line, source: fc.constant('system' as const) }),
  })
  .map((read) => ({ ...nothing, ...read }));

test('what is filled in is read back as the facts of the machine', () => {
  fc.assert(
    fc.property(machines, (machine) => {
      const texts = measuredTexts(machine);
      const facts = readFacts(texts);
      expect(compareConfiguration({ facts, description: texts }, machine)).toEqual([]);
      const kinds = machine.graphics.map((Graphics) => readFacts({ Graphics }).graphics);
      if (texts.Graphics !== undefined) expect(kinds).toContain(facts.graphics);
      const processor = readFacts({ Processor: machine.processor?.value });
      if (texts.Processor !== undefined) expect(readFacts({ Processor: texts.Processor })).toEqual(processor);
      if (texts.Memory !== undefined) expect(facts.memory).toBe(machine.memory?.value);
      for (const text of Object.values(texts)) expect(text.length).toBeLessThanOrEqual(120);
    }),
    { numRuns: 500 },
  );
});
