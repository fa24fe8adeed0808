import { describe, expect, test } from 'vitest';
import { type Event, judge } from './test-progress.ts';
import { createWatchdog, SILENCE_LIMIT } from './test-watchdog.ts';

const file = 'tests/one.test.ts';
const named = (name: string) => ({ id: `id of ${name}`, name });
const planned = (...names: string[]): Event => ({ kind: 'planned', file, tests: names.map(named) });
const started = (name: string): Event => ({ kind: 'started', file, test: named(name) });
const ended = (name: string, outcome: 'passed' | 'failed' | 'skipped' | 'not-run'): Event => ({
  kind: 'ended',
  test: named(name),
  outcome,
});

const wellEnded = { code: 0, stuck: null, filtered: false };

describe('a report is judged', () => {
  test('by what passed, failed and was skipped', () => {
    const events = [
      planned('a', 'b', 'c'),
      started('a'),
      ended('a', 'passed'),
      started('b'),
      ended('b', 'failed'),
      ended('c', 'skipped'),
    ];
    expect(judge(events, { ...wellEnded, code: 1 })).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 1,
      notRun: 0,
      executed: 2,
    });
  });

  test('with each planned test that did not run as failed, and its name', () => {
    const events = [
      planned('a', 'b', 'c', 'd'),
      started('a'),
      ended('a', 'passed'),
      started('b'),
      ended('d', 'not-run'),
    ];
    const result = judge(events, wellEnded);
    expect(result).toMatchObject({ passed: 1, failed: 3, notRun: 3 });
    expect(result.report).toBe('Planned and not executed to the end:\n  b\n  c\n  d');
  });

  test('with a file whose tests were never learned as failed', () => {
    const events: Event[] = [
      { kind: 'files', files: [file, 'tests/two.test.ts'] },
      planned('a'),
      ended('a', 'passed'),
    ];
    const result = judge(events, { ...wellEnded, code: 1 });
    expect(result).toMatchObject({ passed: 1, failed: 1, notRun: 1 });
    expect(result.report).toContain('tests/two.test.ts (the whole file)');
  });

  test('with the watchdog’s reason, and of many missing tests twenty by name', () => {
    const names = Array.from({ length: 41 }, (_, index) => `test ${index}`);
    const result = judge([planned(...names)], {
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

  test('with errors outside of tests, each as one failure', () => {
    const events: Event[] = [planned('a'), ended('a', 'passed'), { kind: 'error', message: 'Unhandled: no' }];
    expect(judge(events, { ...wellEnded, code: 1 })).toMatchObject({
      passed: 1,
      failed: 1,
      report: 'Unhandled: no',
    });
  });

  test('as failed when only the exit code tells of it', () => {
    const events = [planned('a'), ended('a', 'passed')];
    expect(judge(events, { ...wellEnded, code: 3 })).toMatchObject({
      failed: 1,
      report: 'The runner ended with code 3.',
    });
    expect(judge(events, { ...wellEnded, code: null })).toMatchObject({ failed: 1 });
  });

  test('as failed when nothing ran, unless only some files were asked for', () => {
    expect(judge([], wellEnded)).toMatchObject({ failed: 1, report: 'The runner executed no test at all.' });
    expect(judge([], { ...wellEnded, filtered: true })).toMatchObject({ passed: 0, failed: 0 });
  });
});

describe('the watchdog', () => {
  test('names what runs and for how long, each minute of silence, and ends a stuck runner', () => {
    const events: Event[] = [{ kind: 'file-started', file }, planned('a', 'b')];
    const watchdog = createWatchdog(180_000, 0);
    const look = (seconds: number) => watchdog.look(events, seconds * 1000);
    expect(look(1)).toEqual({ notice: null, stuck: null });
    events.push(started('a'));
    expect(look(10)).toEqual({ notice: null, stuck: null });
    events.push(started('b'), ended('b', 'passed'));
    expect(look(40)).toEqual({ notice: null, stuck: null });
    expect(look(99)).toEqual({ notice: null, stuck: null });
    expect(look(100).notice).toBe('No test has started or ended for 60 s. Running: a (for 90 s).');
    expect(look(159)).toEqual({ notice: null, stuck: null });
    expect(look(160).notice).toContain('a (for 150 s)');
    expect(look(220)).toEqual({
      notice: null,
      stuck: 'No test has started or ended for 180 s. Running: a (for 210 s). The runner was ended.',
    });
  });

  test('names the file where no test of it runs yet, and says when nothing has started', () => {
    const watchdog = createWatchdog(60_000, 0);
    expect(watchdog.look([], 60_000).stuck).toContain('no test is running');
    const events: Event[] = [{ kind: 'file-started', file }];
    watchdog.look(events, 61_000);
    expect(watchdog.look(events, 121_000).stuck).toContain(`${file} (for 60 s)`);
  });

  test('never ends a run that makes progress, however long it takes', () => {
    const watchdog = createWatchdog(SILENCE_LIMIT, 0);
    const events: Event[] = [];
    for (let count = 1; count <= 200; count += 1) {
      events.push(started(`test ${count}`), ended(`test ${count}`, 'passed'));
      expect(watchdog.look(events, count * (SILENCE_LIMIT - 1)).stuck).toBeNull();
    }
  });
});
