import { expect, test } from 'vitest';
import { checkNames, MAXIMUM_NOTE } from '#contract/certification/browser-checks.ts';
import {
  type CheckAction,
  CheckProgress,
  newProgress,
  reduceProgress,
  toLine,
  toResults,
} from './check-progress.ts';

const laptop = { productName: 'ThinkPad T14', expiresAt: '2026-01-01T00:15:00Z' };
const opened: CheckAction = { type: 'opened', code: 'ABCD', laptop };
const passed = (name: (typeof checkNames)[number]): CheckAction => ({
  type: 'answered',
  name,
  answer: { outcome: 'passed', note: null },
});
const after = (...actions: CheckAction[]) => actions.reduce(reduceProgress, newProgress(''));

test('goes through all tests, then to the summary', () => {
  const places = checkNames.map((_, at) => {
    const { stage, current } = after(opened, ...checkNames.slice(0, at).map(passed));
    return `${stage} ${current}`;
  });
  expect(places).toEqual(checkNames.map((name) => `tests ${name}`));
  expect(after(opened, ...checkNames.map(passed)).stage).toBe('summary');
});

test('an answer out of order leads to the tests that are left, also to those before', () => {
  const state = after(opened, { type: 'chosen', name: 'graphics' }, passed('graphics'));
  expect(state).toMatchObject({ stage: 'tests', current: 'keyboard' });
});

test('a test without an answer is skipped, never passed', () => {
  const state = after(opened, passed('camera'), { type: 'finished' });
  expect(state.stage).toBe('summary');
  expect(toResults(state).filter(({ outcome }) => outcome === 'passed')).toEqual([
    { name: 'camera', outcome: 'passed', note: null },
  ]);
  expect(toResults(state).filter(({ outcome }) => outcome === 'skipped')).toHaveLength(7);
});

test('a repeated test replaces its result and returns to the summary', () => {
  const state = after(
    opened,
    ...checkNames.map(passed),
    { type: 'chosen', name: 'camera' },
    { type: 'answered', name: 'camera', answer: { outcome: 'failed', note: 'Dark' } },
  );
  expect(state.stage).toBe('summary');
  expect(toResults(state)).toContainEqual({ name: 'camera', outcome: 'failed', note: 'Dark' });
});

test('another code of the same laptop keeps the results; a code of another laptop discards them', () => {
  const before: CheckAction[] = [opened, passed('camera'), { type: 'finished' }, { type: 'anotherCode' }];
  expect(after(...before, { type: 'opened', code: 'EFGH', laptop })).toMatchObject({
    stage: 'summary',
    code: 'EFGH',
  });
  const other = after(...before, {
    type: 'opened',
    code: 'EFGH',
    laptop: { ...laptop, productName: 'Latitude 7420' },
  });
  expect(other).toMatchObject({ stage: 'tests', answers: {}, code: 'EFGH' });
});

test('what a test read from the browser stays after the others', () => {
  const browser = { renderer: null, memory: 8, screen: null };
  const state = after(
    opened,
    { type: 'answered', name: 'graphics', answer: { outcome: 'passed', note: null, browser } },
    passed('refreshRate'),
  );
  expect(state.browser).toEqual(browser);
});

test('is read back from its JSON', () => {
  const state = after(opened, passed('camera'));
  expect(CheckProgress.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
});

test.each([
  ['  two words ', 'two words'],
  ['two\nlines\u0000', 'two lines'],
  ['\u202Eback', 'back'],
  [' \n ', null],
  ['x'.repeat(500), 'x'.repeat(MAXIMUM_NOTE)],
  // Never half of a surrogate pair.
  [`${'x'.repeat(MAXIMUM_NOTE - 1)}😀`, 'x'.repeat(MAXIMUM_NOTE - 1)],
])('%j becomes the line %j', (text, line) => {
  expect(toLine(text, MAXIMUM_NOTE)).toBe(line);
});
