import { expect, test } from 'vitest';
import { summary } from './test-summary.ts';

const step = (
  name: string,
  result: { passed: number; failed: number; failures?: string[]; report?: string },
) => ({
  name,
  seconds: 1.23,
  result,
});

test('ends with one line for each step and the counts over all of them', () => {
  const steps = [
    step('types', { passed: 1, failed: 0 }),
    step('vitest', { passed: 7, failed: 0, failures: [] }),
  ];
  expect(summary(steps, null)).toEqual({
    text: 'types: 1 passed, 0 failed (1.2 s)\nvitest: 7 passed, 0 failed (1.2 s)\n\n8 passed, 0 failed',
    failed: 0,
  });
});

test('names each failure, a check by the first line of its output', () => {
  const steps = [
    step('types', { passed: 0, failed: 1, report: '\nweb/links.ts(3,1): error TS2304\nand more' }),
    step('vitest', { passed: 7, failed: 1, failures: ['web/links.test.ts › joins: expected 1 to be 2'] }),
  ];
  const { text, failed } = summary(steps, null);
  expect(text.split('\n').slice(2)).toEqual([
    '',
    'Failed:',
    '  types: web/links.ts(3,1): error TS2304',
    '  web/links.test.ts › joins: expected 1 to be 2',
    '',
    '7 passed, 2 failed',
  ]);
  expect(failed).toBe(2);
});

test('fits in 40 lines however many tests failed', () => {
  const failures = Array.from({ length: 100 }, (_, index) => `test ${index}: no`);
  const checks = Array.from({ length: 7 }, (_, index) => step(`check ${index}`, { passed: 1, failed: 0 }));
  const { text } = summary([...checks, step('vitest', { passed: 0, failed: 100, failures })], null);
  const lines = text.split('\n');
  expect(lines.length).toBeLessThan(40);
  expect(lines).toContain('  test 0: no');
  expect(lines).toContain('  and 75 more');
});

test('counts a run without tests as failed', () => {
  const { text, failed } = summary([step('vitest', { passed: 0, failed: 0 })], 'No test is named like x.');
  expect(text).toContain('Failed:\n  No test is named like x.\n\n0 passed, 1 failed');
  expect(failed).toBe(1);
});
