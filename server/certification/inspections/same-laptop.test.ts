import { describe, expect, test } from 'vitest';
import type { Machine } from '#contract/certification/machine.ts';
import { type MachineHashes, partHashes } from './machine-hashes.ts';
import { compareLaptops } from './same-laptop.ts';

const drive = {
  model: 'SAMSUNG MZVLB512',
  gigabytes: 512,
  kind: 'SSD',
  hours: 900,
  wear: 3,
  healthy: true,
} as const;
const battery = { health: 89, designMwh: 50_000, fullMwh: 44_500, cycles: 211 };

const machine = (changes: Partial<Machine> = {}): Machine => ({
  maker: { value: 'LENOVO', source: 'firmware' },
  model: { value: 'ThinkPad T14', source: 'firmware' },
  serial: { value: 'PF3…DE', source: 'firmware' },
  board: null,
  firmwareDate: null,
  processor: null,
  memory: null,
  memoryModules: null,
  drives: [drive],
  screen: null,
  graphics: [],
  system: null,
  battery: { value: battery, source: 'battery' },
  locks: {
    firmwarePassword: 'not_found',
    absolute: 'unknown',
    management: 'unknown',
    activationLock: 'unknown',
  },
  tpm: 'quoted',
  ...changes,
});
const hashes: MachineHashes = { machine: 'serial', board: 'board', drives: ['drive'], tpm: 'tpm' };

/** Compares the laptop with itself, changed. */
function compare(changes: Partial<Machine>, changedHashes: Partial<MachineHashes> = {}) {
  const before = { machine: machine(), machine_hash: hashes.machine, part_hashes: partHashes(hashes) };
  return compareLaptops(before, { machine: machine(changes), hashes: { ...hashes, ...changedHashes } });
}
const withBattery = (changes: Partial<typeof battery>): Partial<Machine> => ({
  battery: { value: { ...battery, ...changes }, source: 'battery' },
});

describe('the same laptop', () => {
  test.each([
    ['as it was', {}],
    ['with more cycles', withBattery({ cycles: 212 })],
    ['with more hours', { drives: [{ ...drive, hours: 901 }] }],
    ['with 3 % less capacity', withBattery({ fullMwh: 43_165 })],
    ['with 3 % more capacity', withBattery({ fullMwh: 45_835 })],
    ['with another system', { system: { value: 'Ubuntu 26.04', source: 'system' as const } }],
  ])('%s', (_title, changes) => {
    expect(compare(changes)).toEqual({ result: 'same', differences: [], unread: [] });
  });

  test('with an additional drive', () => {
    expect(compare({}, { drives: ['drive', 'added'] }).result).toBe('same');
  });
});

describe('another laptop', () => {
  test.each([
    ['Serial number', {}, { machine: 'other' }],
    ['Mainboard', {}, { board: 'other' }],
    ['Drive', {}, { drives: ['other'] }],
    ['TPM', {}, { tpm: 'other' }],
    ['Battery cycles', withBattery({ cycles: 210 }), {}],
    ['Hours of SAMSUNG MZVLB512', { drives: [{ ...drive, hours: 899 }] }, {}],
    ['Battery capacity', withBattery({ fullMwh: 43_164, health: 86 }), {}],
    ['Battery capacity', withBattery({ fullMwh: 45_836, health: 92 }), {}],
  ])('differs in: %s', (subject, changes, changedHashes) => {
    const { result, differences } = compare(changes, changedHashes);
    expect(result).toBe('different');
    expect(differences.map((difference) => difference.subject)).toEqual([subject]);
  });

  test('that shares nothing is named with all that differs', () => {
    const other = { machine: 'a', board: 'b', drives: ['c'], tpm: 'd' };
    const { differences } = compare({}, other);
    expect(differences.map(({ subject }) => subject)).toEqual(['Serial number', 'Mainboard', 'Drive', 'TPM']);
  });

  test('of several new parts and one missing hash names them together', () => {
    const before = { machine: machine({ tpm: 'unknown' }), machine_hash: 'serial', part_hashes: ['drive'] };
    const now = { machine: machine(), hashes: { ...hashes, drives: ['other'], tpm: null } };
    expect(compareLaptops(before, now).differences).toMatchObject([{ subject: 'Mainboard or Drive' }]);
  });
});

describe('what cannot be read', () => {
  test('is said, and is no difference', () => {
    const unread = compare({ battery: null, tpm: 'unknown' }, { board: null, tpm: null });
    expect(unread).toEqual({ result: 'same', differences: [], unread: ['A part', 'Battery'] });
  });

  test('of the serial number leaves open whether it is the same laptop', () => {
    expect(compare({ serial: null }, { machine: null })).toEqual({
      result: 'unknown',
      differences: [],
      unread: ['Serial number'],
    });
  });

  test('of an erased measurement is unknown', () => {
    const before = { machine: machine(), machine_hash: null, part_hashes: [] };
    expect(compareLaptops(before, { machine: machine(), hashes }).result).toBe('unknown');
  });
});
