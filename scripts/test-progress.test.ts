import { describe, expect, test } from 'vitest';
import { type ProgressEvent, toStepResult } from './test-progress.ts';
import { createWatchdog, SILENCE_LIMIT } from './test-watchdog.ts';

const file = 'tests/one.test.ts';
const testNamed = (name: string) => ({ id: `id of ${name}`, name });
const planned = (...names: string[]): ProgressEvent => ({
  kind: 'planned',
  file,
  tests: names.map(testNamed),
});
const started = (name: string): ProgressEvent => ({ kind: 'started', file, test: testNamed(name) });
const ended = (
  name: string,
  outcome: 'passed' | 'failed' | 'skipped' | 'not-run',
  message?: string,
): ProgressEvent => ({
  kind: 'ended',
  test: testNamed(name),
  outcome,
  ...(message !== undefined && { message }),
});

const exit = { code: 0, stuck: null, filtered: false };

describe('toStepResult', () => {
  test('counts passed, failed and skipped tests', () => {
    const events = [
      planned('a', 'b', 'c'),
      started('a'),
      ended('a', 'passed'),
      started('b'),
      ended('b', 'failed'),
      ended('c', 'skipped'),
    ];
    expect(toStepResult(events, { ...exit, code: 1 })).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 1,
      notRun: 0,
      executed: 2,
    });
  });

  test('counts a planned test that did not run as failed, and names it', () => {
    const events = [
      planned('a', 'b', 'c', 'd'),
      started('a'),
      ended('a', 'passed'),
      started('b'),
      ended('d', 'not-run'),
    ];
    const result = toStepResult(events, exit);
    expect(result).toMatchObject({ passed: 1, failed: 3, notRun: 3 });
    expect(result.report).toBe('Planned and not executed to the end:\n  b\n  c\n  d');
  });

  test('counts a file whose tests were never reported as failed', () => {
    const events: ProgressEvent[] = [
      { kind: 'files', files: [file, 'tests/two.test.ts'] },
      planned('a'),
      ended('a', 'passed'),
    ];
    const result = toStepResult(events, { ...exit, code: 1 });
    expect(result).toMatchObject({ passed: 1, failed: 1, notRun: 1 });
    expect(result.report).toContain('tests/two.test.ts (the whole file)');
  });

  test('reports the watchdog’s reason and names at most 20 missing tests', () => {
    const names = Array.from({ length: 41 }, (_, index) => `test ${index}`);
    const result = toStepResult([planned(...names)], {
      code: null,
      stuck: 'No test has ended for 360 s.',
      filtered: false,
    });
    expect(result).toMatchObject({ passed: 0, failed: 41, notRun: 41 });
    const lines = result.report?.split('\n') ?? [];
    expect(lines[0]).toBe('No test has ended for 360 s.');
    expect(lines).toHaveLength(23);
    expect(lines.at(-1)).toBe('  and 21 more');
  });

  test('counts each error outside of a test as one failure', () => {
    const events: ProgressEvent[] = [
      planned('a'),
      ended('a', 'passed'),
      { kind: 'error', message: 'Unhandled: no' },
    ];
    expect(toStepResult(events, { ...exit, code: 1 })).toMatchObject({
      passed: 1,
      failed: 1,
      report: 'Unhandled: no',
    });
  });

  test('counts a failure if only the exit code reports it', () => {
    const events = [planned('a'), ended('a', 'passed')];
    expect(toStepResult(events, { ...exit, code: 3 })).toMatchObject({
      failed: 1,
      report: 'The runner ended with code 3.',
    });
    expect(toStepResult(events, { ...exit, code: null })).toMatchObject({ failed: 1 });
  });

  test('counts a failure if no test ran, unless only some files were requested', () => {
    expect(toStepResult([], exit)).toMatchObject({
      failed: 1,
      report: 'The runner executed no test at all.',
    });
    expect(toStepResult([], { ...exit, filtered: true })).toMatchObject({ passed: 0, failed: 0 });
  });

  test('names each failed test with the first line of its error, without colors', () => {
    const events = [
      planned('a', 'b'),
      ended('a', 'failed', '\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n  at line 3'),
      ended('b', 'failed'),
    ];
    expect(toStepResult(events, { ...exit, code: 1 }).failures).toEqual([
      'a: AssertionError: expected 1 to be 2',
      'b: no message',
    ]);
  });

  test('names each error outside of a test and each planned test that did not run', () => {
    const events: ProgressEvent[] = [
      { kind: 'files', files: ['tests/two.test.ts'] },
      planned('a'),
      { kind: 'error', message: 'tests/two.test.ts: SyntaxError: Unexpected token\n  at line 3' },
    ];
    expect(toStepResult(events, { ...exit, code: 1 }).failures).toEqual([
      'tests/two.test.ts: SyntaxError: Unexpected token',
      'a: did not run to its end',
      'tests/two.test.ts (the whole file): did not run to its end',
    ]);
  });

  test('puts the watchdog’s reason before the tests that did not run', () => {
    const events = [planned('a'), started('a')];
    const { failures } = toStepResult(events, {
      code: null,
      stuck: 'No test has ended for 360 s.',
      filtered: false,
    });
    expect(failures).toEqual(['No test has ended for 360 s.', 'a: did not run to its end']);
  });

  test('names a crash of the runner that no event reports', () => {
    const events = [planned('a'), ended('a', 'passed')];
    expect(toStepResult(events, { ...exit, code: null }).failures).toEqual([
      'The runner ended with a signal.',
    ]);
  });

  test('counts a crashed runner once if an event reports the failure', () => {
    const events = [planned('a', 'b'), ended('a', 'passed'), started('b')];
    expect(toStepResult(events, { ...exit, code: null })).toMatchObject({ passed: 1, failed: 1, notRun: 1 });
  });

  test('counts an unhandled error besides the failed test that it belongs to', () => {
    const events: ProgressEvent[] = [
      planned('a', 'b'),
      ended('a', 'failed', 'Error: first'),
      ended('b', 'passed'),
      { kind: 'error', message: 'Outside of any test: Unhandled rejection' },
    ];
    expect(toStepResult(events, { ...exit, code: 1 })).toMatchObject({
      passed: 1,
      failed: 2,
      executed: 2,
      failures: ['a: Error: first', 'Outside of any test: Unhandled rejection'],
    });
  });

  test('counts only the last attempt at a retried test', () => {
    const flaky = [planned('a'), ended('a', 'failed', 'Error: once'), ended('a', 'passed')];
    expect(toStepResult(flaky, exit)).toMatchObject({ passed: 1, failed: 0, executed: 1, failures: [] });
    const broken = [planned('a'), ended('a', 'failed', 'Error: 1'), ended('a', 'failed', 'Error: 2')];
    expect(toStepResult(broken, { ...exit, code: 1 })).toMatchObject({
      failed: 1,
      executed: 1,
      failures: ['a: Error: 2'],
    });
  });

  test('passes filtered files of which all tests are skipped', () => {
    const events = [planned('a'), ended('a', 'skipped')];
    expect(toStepResult(events, { ...exit, filtered: true })).toMatchObject({
      passed: 0,
      failed: 0,
      skipped: 1,
    });
    expect(toStepResult(events, exit)).toMatchObject({ failed: 1 });
  });

  test('cuts a long message', () => {
    const { failures } = toStepResult([planned('a'), ended('a', 'failed', 'x'.repeat(1000))], {
      ...exit,
      code: 1,
    });
    expect(failures?.[0]).toHaveLength('a: '.length + 240);
  });
});

describe('the watchdog', () => {
  test('names the running tests each minute without progress, and ends a stuck runner', () => {
    const events: ProgressEvent[] = [{ kind: 'file-started', file }, planned('a', 'b')];
    const watchdog = createWatchdog(180_000, 0);
    const check = (seconds: number) => watchdog.check(events, seconds * 1000);
    expect(check(1)).toEqual({ notice: null, stuck: null });
    events.push(started('a'));
    expect(check(10)).toEqual({ notice: null, stuck: null });
    events.push(started('b'), ended('b', 'passed'));
    expect(check(40)).toEqual({ notice: null, stuck: null });
    expect(check(99)).toEqual({ notice: null, stuck: null });
    expect(check(100).notice).toBe('No test has started or ended for 60 s. Running: a (for 90 s).');
    expect(check(159)).toEqual({ notice: null, stuck: null });
    expect(check(160).notice).toContain('a (for 150 s)');
    expect(check(220)).toEqual({
      notice: null,
      stuck: 'No test has started or ended for 180 s. Running: a (for 210 s). The runner was ended.',
    });
  });

  test('names the file if none of its tests runs yet, and says if nothing has started', () => {
    const watchdog = createWatchdog(60_000, 0);
    expect(watchdog.check([], 60_000).stuck).toContain('no test is running');
    const events: ProgressEvent[] = [{ kind: 'file-started', file }];
    watchdog.check(events, 61_000);
    expect(watchdog.check(events, 121_000).stuck).toContain(`${file} (for 60 s)`);
  });

  test('never ends a run that makes progress', () => {
    const watchdog = createWatchdog(SILENCE_LIMIT, 0);
    const events: ProgressEvent[] = [];
    for (let count = 1; count <= 200; count += 1) {
      events.push(started(`test ${count}`), ended(`test ${count}`, 'passed'));
      expect(watchdog.check(events, count * (SILENCE_LIMIT - 1)).stuck).toBeNull();
    }
  });
});
