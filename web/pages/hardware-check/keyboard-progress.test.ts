import { expect, test } from 'vitest';
import { MAXIMUM_NOTE } from '#contract/certification/browser-checks.ts';
import { rowsOf } from './keyboard-layouts.ts';
import {
  keyboardFinding,
  latestKey,
  markAbsent,
  missingKeys,
  noKeys,
  pressKey,
} from './keyboard-progress.ts';

const rows = rowsOf('ansi', false);
const codes = rows.flat().map(({ code }) => code);
const press = (...pressed: string[]) => pressed.reduce(pressKey, noKeys);

test('no layout has a key twice, and each key has a label', () => {
  for (const layout of ['ansi', 'iso'] as const) {
    const keys = rowsOf(layout, true).flat();
    expect(new Set(keys.map(({ code }) => code)).size).toBe(keys.length);
    expect(keys.filter(({ label, width }) => label === '' || !(width >= 1))).toEqual([]);
    const words = missingKeys(rowsOf(layout, true), noKeys).map((key) => key.words);
    expect(new Set(words).size, 'keys are told apart').toBe(words.length);
  }
});

test('all keys of a layout, pressed once each, leave none missing', () => {
  expect(missingKeys(rows, press(...codes))).toEqual([]);
  expect(keyboardFinding(rows, press(...codes))).toBeNull();
});

test('a key of another layout and a key without a code change nothing', () => {
  expect(missingKeys(rows, press('IntlBackslash', ''))).toHaveLength(codes.length);
});

test('the key that was pressed last has a name', () => {
  const latest = (...pressed: string[]) => latestKey(rows, press(...pressed));
  expect([latest(), latest('KeyA'), latest('ShiftRight'), latest('ArrowUp'), latest('LaunchMail')]).toEqual([
    null,
    'A',
    'right Shift',
    'Up arrow',
    'LaunchMail',
  ]);
});

test('missing and absent keys are named', () => {
  const pressed = press(...codes.filter((code) => code !== 'F5' && code !== 'ShiftRight' && code !== 'F12'));
  const progress = markAbsent(pressed, 'F12');
  expect(missingKeys(rows, progress).map(({ words }) => words)).toEqual(['F5', 'right Shift']);
  expect(keyboardFinding(rows, progress)).toBe('No response: F5 right Shift. Not on this keyboard: F12');
});

test('an absent key that is pressed later exists', () => {
  expect(pressKey(markAbsent(noKeys, 'F12'), 'F12')).toMatchObject({ absent: new Set() });
});

test('the finding of a keyboard without any response fits in a note', () => {
  expect(keyboardFinding(rowsOf('iso', true), noKeys)?.length).toBeLessThanOrEqual(MAXIMUM_NOTE);
  const absent = codes.reduce(markAbsent, noKeys);
  expect(keyboardFinding(rows, absent)?.length).toBeLessThanOrEqual(MAXIMUM_NOTE);
});

test.each([
  [['Tab', 'Tab'], true],
  [['Escape', 'Escape'], true],
  [['Tab'], false],
  [['Tab', 'KeyA', 'Tab'], false],
  [['Escape', 'Tab'], false],
  [['KeyA', 'KeyA'], false],
])('after %j, leaving is %j', (pressed, leaves) => {
  expect(press(...pressed).leaves).toBe(leaves);
});
