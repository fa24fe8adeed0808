import { expect, test } from 'vitest';
import { type Machine, measuredValues } from '#contract/certification/machine.ts';
import { unknownMachine } from '#contract/certification/testing/unknown-machine.ts';
import { measuredChanges } from './measured-values.ts';

const drive = { model: 'Drive', gigabytes: 512, kind: 'SSD', hours: 100, wear: 2, healthy: true } as const;
const battery = { health: 92, designMwh: 50_000, fullMwh: 46_000, cycles: 300 };
const machine: Machine = {
  ...unknownMachine,
  maker: { value: 'LENOVO', source: 'firmware' },
  model: { value: 'ThinkPad T14', source: 'firmware' },
  serial: { value: 'PF3…DE', source: 'firmware' },
  memory: { value: 16, source: 'firmware' },
  drives: [drive],
  battery: { value: battery, source: 'battery' },
  locks: {
    firmwarePassword: 'not_found',
    absolute: 'unknown',
    management: 'unknown',
    activationLock: 'unknown',
  },
};

test('measurements that say the same have no changes', () => {
  expect(measuredChanges(machine, structuredClone(machine))).toEqual([]);
});

test('the changes of battery, memory, serial number and locks are in words; an unknown value is named so', () => {
  const after: Machine = {
    ...machine,
    serial: null,
    memory: { value: 8, source: 'firmware' },
    battery: { value: { ...battery, health: 97, fullMwh: 48_500, cycles: 12 }, source: 'battery' },
    locks: { ...machine.locks, firmwarePassword: 'locked' },
  };
  expect(measuredChanges(machine, after)).toEqual([
    { field: 'Memory', before: '16 GB', after: '8 GB' },
    {
      field: 'Battery',
      before: '92 % of its capacity when new (46.0 of 50.0 Wh), 300 cycles',
      after: '97 % of its capacity when new (48.5 of 50.0 Wh), 12 cycles',
    },
    { field: 'Serial number', before: 'PF3…DE', after: 'Unknown' },
    { field: 'Firmware (BIOS) password', before: 'Not found', after: 'Found' },
  ]);
});

test('a drive that only one measurement has is compared with nothing', () => {
  const second = { ...drive, gigabytes: 2000, hours: null, wear: null };
  const withTwo: Machine = { ...machine, drives: [drive, second] };
  expect(measuredChanges(machine, withTwo)).toEqual([
    { field: 'Storage 2', before: '', after: '2 TB SSD, Drive' },
  ]);
  expect(measuredChanges(withTwo, machine)).toEqual([
    { field: 'Storage 2', before: '2 TB SSD, Drive', after: '' },
  ]);
});

test('memory modules are grouped', () => {
  const ofModules = (memoryModules: Machine['memoryModules']) =>
    measuredValues({ ...machine, memoryModules }).find(({ label }) => label === 'Memory modules')?.value;
  const module = { gigabytes: 8, kind: 'DDR4', speed: 2667 };
  const other = { gigabytes: 16, kind: null, speed: null };
  expect(ofModules({ value: [module, module, other], source: 'firmware' })).toBe(
    '2 × 8 GB DDR4 at 2667 MT/s, 16 GB',
  );
  expect(ofModules(null)).toBeNull();
});
