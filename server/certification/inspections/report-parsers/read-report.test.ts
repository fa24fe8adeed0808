// The time that a report takes has a bound: everybody can send one, and the server reads it in its only thread.
import { describe, expect, test } from 'vitest';
import { MAXIMUM_REPORT_CHARACTERS, MeasuredSystem } from '#contract/certification/inspections.ts';
import { Machine } from '#contract/certification/machine.ts';
import { processorTime } from '#tests/harness/platform/processor-time.ts';
import { worstReports, writeReport } from '../testing/worst-reports.ts';
import { readReport } from './read-report.ts';
import { parseReport } from './report.ts';

/** Sections whose names contain a device or an attribute. The other names are those for which a reader asks. */
const namedSections = [
  'battery/BAT0/type',
  'drive/nvme0n1/size',
  'smart/nvme0n1',
  'edid/card0-eDP-1',
  'firmware/thinklmi/authentication/Admin/is_enabled',
  'firmware/thinklmi/attributes/AbsolutePersistence/current_value',
  'tpm/key',
];

/** The names of the sections for which a system's reader asks. */
function sectionsOf(system: MeasuredSystem): string[] {
  const asked = new Set<string>();
  class RecordingMap extends Map<string, string> {
    override get(name: string) {
      asked.add(name);
      return super.get(name);
    }
    override has(name: string) {
      asked.add(name);
      return super.has(name);
    }
  }
  const named = namedSections.filter((name) => !name.startsWith('tpm/'));
  const sections = new RecordingMap(named.map((name) => [name, '1000215216']));
  readReport({ code: '0000', system, sections });
  return [...new Set([...asked, ...(system === 'linux' ? named : []), 'tpm/key'])];
}

function read(text: string): void {
  const report = parseReport(text);
  if ('problem' in report) return;
  const reading = readReport(report);
  if (!('problem' in reading)) expect(Machine.safeParse(reading.machine).success).toBe(true);
}

/** What a document of the maximum length costs this machine, in milliseconds. */
function referenceTime(): number {
  const text = JSON.stringify(Array.from({ length: MAXIMUM_REPORT_CHARACTERS / 10 }, () => ({ a: 'b' })));
  const times = Array.from({ length: 5 }, () => processorTime(() => void JSON.parse(text)));
  return times.toSorted((one, other) => one - other)[2] ?? 0;
}

describe.each(MeasuredSystem.options)('%s', (system) => {
  test('its longest reports take no more than some times what parsing so much JSON takes', () => {
    const limit = 40 * referenceTime();
    let count = 0;
    const slow: string[] = [];
    for (const { title, report } of worstReports(system, sectionsOf(system))) {
      count += 1;
      expect(report.length, title).toBeLessThanOrEqual(MAXIMUM_REPORT_CHARACTERS);
      // What a busy machine adds, such as cold caches, differs each time; what the report costs does not.
      let time = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 3 && time > limit; tries += 1) time = processorTime(() => read(report));
      if (time > limit) slow.push(`${title}: ${Math.round(time)} ms`);
    }
    expect(slow).toEqual([]);
    expect(count).toBeGreaterThan(20);
  });
});

test('the readers do read the sections from which the slow reports are made', () => {
  expect(sectionsOf('windows')).toEqual(expect.arrayContaining(['screen-connection', 'edids', 'drives']));
  expect(sectionsOf('linux')).toEqual(expect.arrayContaining(['smbios', 'cpuinfo', 'drive/nvme0n1/size']));
  expect(sectionsOf('macos')).toEqual(expect.arrayContaining(['hardware', 'power']));
});

test.each([
  ['lines', 'has too many lines', () => writeReport('linux', { cpuinfo: '\n'.repeat(20_000) })],
  [
    'characters',
    'is too long',
    () => writeReport('linux', { cpuinfo: 'x'.repeat(MAXIMUM_REPORT_CHARACTERS) }),
  ],
])('a report with too many %s is refused in words', (_name, words, create) => {
  expect(parseReport(create())).toEqual({ problem: expect.stringContaining(words) });
});
