import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factChoices, readFacts } from '#contract/listings/facts.ts';
import { type Machine, measuredMemory } from './machine.ts';
import {
  compareConfiguration,
  compareFacts,
  factComparisons,
  findMissing,
  measuredTexts,
} from './measured-configuration.ts';
import { unknownMachine } from './testing/unknown-machine.ts';

const drive = (gigabytes: number, kind: 'SSD' | 'HDD' | 'eMMC' | null) => ({
  model: 'Drive',
  gigabytes,
  kind,
  hours: null,
  wear: null,
  healthy: null,
});

test('a laptop without readings fills nothing', () => {
  expect(measuredTexts(unknownMachine)).toEqual({});
});

test('texts have the form of the choices', () => {
  const texts = measuredTexts({
    ...unknownMachine,
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
  expect(measuredTexts({ ...unknownMachine, processor: { value, source: 'system' } }).Processor).toBe(text);
});

test.each([
  ['Apple M3', 'Intel(R) Core(TM) m3-7Y30 CPU @ 1.00GHz'],
  ['Intel Core i7', 'Intel(R) Core(TM) 7 150U'],
  ['Intel Core Ultra 7', 'Intel(R) Core(TM) Ultra X9 388H'],
])('a listed %s contradicts a measured %s', (Processor, value) => {
  const machine: Machine = { ...unknownMachine, processor: { value, source: 'system' } };
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
    { ...unknownMachine, graphics },
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
    memory: fc.oneof(
      fc.record({ value: fc.integer({ min: 1, max: 1024 }), source: fc.constant('firmware' as const) }),
      fc.record({ atLeast: fc.integer({ min: 1, max: 1024 }), source: fc.constant('system' as const) }),
    ),
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
  .map((read) => ({ ...unknownMachine, ...read }));

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
      if (texts.Memory !== undefined) expect(facts.memory).toBe(measuredMemory(machine));
      for (const text of Object.values(texts)) expect(text.length).toBeLessThanOrEqual(120);
    }),
    { numRuns: 500 },
  );
});

/** Compares a listing in the seller's words with a machine. */
function compare(description: Readonly<Record<string, string>>, read: Partial<Machine>) {
  const machine = { ...unknownMachine, ...read };
  const listing = { facts: readFacts(description), description };
  const comparisons = factComparisons(compareFacts(listing, machine));
  return {
    comparisons: Object.fromEntries(
      comparisons.map((each) => [each.fact, each.state === 'not_compared' ? each.reason : each.state]),
    ),
    contradictions: compareConfiguration(listing, machine),
    missing: findMissing(comparisons, machine),
  };
}

test.each([
  ['16 GB', 'only_a_bound', []],
  ['12 GB', 'only_a_bound', []],
  ['48 GB', 'only_a_bound', []],
  ['8 GB', 'contradicted', ['at least 12 GB']],
  ['64 GB', 'contradicted', ['at least 12 GB, but far less than 64 GB']],
])('a listing of %s and a system that sees 11.4 GB: %s', (listed, state, measured) => {
  const result = compare({ Memory: listed }, { memory: { atLeast: 12, source: 'system' } });
  expect(result.comparisons.memory).toBe(state);
  expect(result.contradictions.map((each) => each.measured)).toEqual(measured);
});

test('a lower bound of the memory is not filled in', () => {
  expect(measuredTexts({ ...unknownMachine, memory: { atLeast: 12, source: 'system' } })).toEqual({});
});

const i5 = { value: 'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz', source: 'system' } as const;
const sixteen = { value: 16, source: 'firmware' } as const;

test('each fact is measured, contradicted, or not compared with the reason', () => {
  const description = {
    Processor: 'Intel Core i5-10310U',
    Memory: '16 GB',
    Storage: '512 GB SSD',
    Display: '14.0"',
    Graphics: 'NVIDIA GeForce RTX 3060',
    Battery: 'lasts for hours',
  };
  const { comparisons, missing } = compare(description, {
    processor: i5,
    memory: sixteen,
    drives: [drive(256, 'SSD')],
    graphics: ['a new maker’s adapter'],
  });
  expect(comparisons).toEqual({
    processor: 'measured',
    generation: 'measured',
    memory: 'measured',
    storage: 'contradicted',
    screen: 'not_read',
    graphics: 'not_understood',
    battery: 'listing_unclear',
  });
  expect(missing).toEqual([]);
});

test('a field that differs in two facts is contradicted once', () => {
  expect(compare({ Processor: 'Intel Core i7-1165G7' }, { processor: i5 }).contradictions).toEqual([
    { field: 'Processor', listed: 'Intel Core i7-1165G7', measured: i5.value },
  ]);
});

test.each<[string, Readonly<Record<string, string>>, Partial<Machine>, RegExp | null]>([
  ['both are read and agree', { Processor: 'Core i5-10310U', Memory: '16 GB' }, {}, null],
  ['the listing says nothing about them', {}, {}, null],
  ['the processor was not read', {}, { processor: null }, /did not report its processor/],
  [
    'the processor is not known by name',
    { Processor: 'Intel Core i7-1165G7' },
    { processor: { value: 'Special CPU 9000', source: 'firmware' } },
    /“Special CPU 9000”\. The shop does not know this name/,
  ],
  ['the memory was not read', {}, { memory: null }, /did not report its memory/],
  ['the memory is only a bound', {}, { memory: { atLeast: 12, source: 'system' } }, /at least 12 GB.*sudo/],
  [
    'the firmware does not tell all of the memory',
    {},
    { memory: { atLeast: 8, source: 'firmware' } },
    /the size of every module/,
  ],
  ['the listed processor is not understood', { Processor: 'a fast one' }, {}, /words for the processor/],
  ['the listed memory is not understood', { Memory: 'plenty' }, {}, /words for the memory/],
])('what keeps a listing from counting as measured when %s', (_name, description, read, sentence) => {
  const { missing } = compare(description, { processor: i5, memory: sixteen, ...read });
  expect(missing).toEqual(sentence === null ? [] : [expect.stringMatching(sentence)]);
});

test.each<[string, string, string]>([
  ['It has 32 GB RAM or 64 GB RAM and a Core i7 or i9.', 'listing_unclear', 'listing_unclear'],
  ['Fast RAM of 128 gigs, Ryzen', 'listing_unclear', 'listing_unclear'],
  [
    'A nice laptop with a new bag. Its memory can be upgraded, and it has Intel graphics.',
    'not_listed',
    'not_listed',
  ],
  ['Core i5-10310U with 16 GB RAM', 'measured', 'measured'],
])('in the words “%s”, the processor is %s and the memory %s', (description, processor, memory) => {
  const machine: Machine = {
    ...unknownMachine,
    processor: { value: 'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz', source: 'system' },
    memory: { value: 16, source: 'firmware' },
  };
  const comparisons = compareFacts({ facts: readFacts(description), description }, machine);
  const outcomeOf = (fact: string) => comparisons.find((each) => each.fact === fact)?.outcome;
  expect([outcomeOf('processor'), outcomeOf('memory')]).toEqual([processor, memory]);
  const isUnclear = findMissing(factComparisons(comparisons), machine).length > 0;
  expect(isUnclear).toBe([processor, memory].includes('listing_unclear'));
});
