import { expect, test } from 'vitest';
import type { Machine } from '#contract/certification/machine.ts';
import { unknownMachine } from '#contract/certification/testing/unknown-machine.ts';
import { emptyValues } from './form-values.ts';
import {
  conditionProblem,
  type FormMeasurement,
  findDifferences,
  reasonsAgainstMeasured,
  textsForEmptyFields,
} from './measured-differences.ts';

const machine: Machine = {
  ...unknownMachine,
  processor: { value: 'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz', source: 'system' },
  memory: { value: 8, source: 'firmware' },
  drives: [{ model: 'Drive', gigabytes: 512, kind: 'SSD', hours: null, wear: null, healthy: null }],
  system: { value: 'Ubuntu 24.04.1 LTS', source: 'system' },
  battery: { value: { health: 82, designMwh: 50_000, fullMwh: 41_000, cycles: 300 }, source: 'battery' },
};
const measurement: FormMeasurement = {
  measuredAt: '2026-11-22T12:00:00.000Z',
  measuredWith: 'linux',
  machine,
  conditions: ['Good', 'Fair'],
};

test('an empty form is filled with what was measured, without a system that may have run from a USB stick', () => {
  expect(Object.fromEntries(textsForEmptyFields(emptyValues, measurement))).toEqual({
    Processor: 'Intel Core i5-10310U',
    Memory: '8 GB',
    Storage: '512 GB SSD',
    Battery: '50 Wh, 82 % health',
  });
  const underWindows = { ...measurement, measuredWith: 'windows' } as const;
  expect(Object.fromEntries(textsForEmptyFields(emptyValues, underWindows))).toHaveProperty('Operating');
});

test('what is typed is kept, and its difference is shown', () => {
  const values = { ...emptyValues, Memory: '16 GB', Storage: '512GB NVMe SSD', Processor: 'Intel' };
  expect(textsForEmptyFields(values, measurement).map(([field]) => field)).toEqual(['Battery']);
  const differences = findDifferences(values, measurement);
  expect(differences.get('Memory')).toEqual({
    measured: '8 GB',
    text: '8 GB',
    isContradiction: true,
    isEmpty: false,
  });
  expect(differences.get('Processor')).toMatchObject({ isContradiction: false, isEmpty: false });
  expect(differences.has('Storage'), 'other words for the same').toBe(false);
  expect(differences.has('Display'), 'unknown').toBe(false);
});

test('a lower bound of the memory contradicts less, and is no text for the field', () => {
  const bound: FormMeasurement = {
    ...measurement,
    machine: { ...machine, memory: { atLeast: 12, source: 'system' } },
  };
  const memoryOf = (typed: string) => findDifferences({ ...emptyValues, Memory: typed }, bound).get('Memory');
  expect(memoryOf('8 GB')).toMatchObject({ measured: 'at least 12 GB', text: null, isContradiction: true });
  expect(memoryOf('16 GB')).toBeUndefined();
  expect(memoryOf('')).toBeUndefined();
});

test('only contradictions, a condition above the battery and locks prevent “measured”', () => {
  const values = { ...emptyValues, Memory: '8 GB', condition: 'Good' } as const;
  expect(reasonsAgainstMeasured(values, measurement)).toEqual([]);
  expect(reasonsAgainstMeasured({ ...values, Memory: '16 GB', condition: 'Excellent' }, measurement)).toEqual(
    [
      'Memory: 16 GB said, 8 GB measured.',
      expect.stringMatching(/^Condition: Excellent said, .* 82 % .* It allows Good or Fair\.$/),
    ],
  );
  const locked = { ...machine, locks: { ...machine.locks, activationLock: 'locked' } } as const;
  expect(reasonsAgainstMeasured(values, { ...measurement, machine: locked })).toEqual([
    expect.stringMatching(/^A lock was found: Activation Lock\./),
  ]);
});

test('an unknown battery allows every condition', () => {
  const unknown = { ...measurement, machine: { ...machine, battery: null } };
  expect(conditionProblem({ condition: 'Excellent' }, unknown)).toBeUndefined();
});

test.each<[Partial<Machine>, RegExp]>([
  [{ processor: null }, /did not report its processor/],
  [{ memory: null }, /did not report its memory/],
  [{ memory: { atLeast: 12, source: 'system' } }, /at least 12 GB.*sudo/],
])('a report without processor or memory does not make a listing measured: %j', (missing, reason) => {
  expect(
    reasonsAgainstMeasured(emptyValues, {
      ...measurement,
      machine: { ...machine, battery: null, ...missing },
    }),
  ).toEqual([expect.stringMatching(reason)]);
});

test('words for the processor that are not understood prevent “measured”', () => {
  expect(
    reasonsAgainstMeasured({ ...emptyValues, Processor: 'a fast one', condition: 'Good' }, measurement),
  ).toEqual([expect.stringMatching(/words for the processor/)]);
});
