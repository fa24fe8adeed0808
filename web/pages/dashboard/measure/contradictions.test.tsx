import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Contradiction, Measurement } from '#contract/certification/inspections.ts';
import { Contradictions } from './contradictions.tsx';

interface Found {
  contradictions?: Contradiction[];
  isLocked?: boolean;
  processor?: string;
}

/** The warnings about a measurement. */
function warnings({ contradictions = [], isLocked = false, processor = 'Intel Core i5' }: Found): string {
  const measurement: Measurement = {
    _id: '0b5f1c2e-1111-4222-8333-444455556666',
    measuredAt: '2026-11-01T10:00:00Z',
    measuredWith: 'linux',
    machine: {
      ...{
        maker: null,
        model: null,
        serial: null,
        board: null,
        firmwareDate: null,
        memoryModules: null,
        screen: null,
        system: null,
        battery: null,
      },
      processor: processor === '' ? null : { value: processor, source: 'system' },
      memory: { value: 16, source: 'firmware' },
      drives: [],
      graphics: [],
      locks: {
        firmwarePassword: isLocked ? 'locked' : 'not_found',
        absolute: 'unknown',
        management: 'unknown',
        activationLock: 'unknown',
      },
      tpm: 'unknown',
    },
    comparisons: [],
    contradictions,
  };
  return renderToStaticMarkup(<Contradictions measurement={measurement} />);
}

const differences = [{ field: 'Memory', listed: '32 GB', measured: '16 GB' }];

test('a measurement that agrees has no warning', () => {
  expect(warnings({})).toBe('');
});

test('a lock is said first, also when the listing differs', () => {
  const html = warnings({ isLocked: true, contradictions: differences });
  expect(html).toMatch(/A lock was found\..*not for sale.*Memory: listed as 32 GB, measured 16 GB/);
  expect(warnings({ isLocked: true })).not.toContain('differ');
  expect(warnings({ contradictions: differences })).not.toContain('lock');
});

test('too little that was read is said when nothing else keeps the measurement from buyers', () => {
  expect(warnings({ processor: '' })).toContain('did not report its processor');
  expect(warnings({ processor: 'CPU 9000' })).toContain('does not know this name');
  expect(warnings({ processor: '', contradictions: differences })).not.toContain('did not report');
});
