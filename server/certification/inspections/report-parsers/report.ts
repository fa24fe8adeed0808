import { MAXIMUM_REPORT_CHARACTERS, MeasuredSystem } from '#contract/certification/inspections.ts';

/** The first three lines of a report. */
export interface ReportHeader {
  code: string;
  system: MeasuredSystem;
}

/** A report of a script in `inspect/`, split into its sections. */
export interface Report extends ReportHeader {
  /** The content of each section by name. */
  sections: ReadonlyMap<string, string>;
}

/** A laptop has about 60 sections. */
const MAXIMUM_SECTIONS = 300;

/** `/proc/cpuinfo` of 64 processors has 1,800 lines, and a firmware's table of 40 kB as a hexadecimal dump 2,700. */
const MAXIMUM_LINES = 20_000;

/** Longer than the first three lines of any report. */
const MAXIMUM_HEADER_CHARACTERS = 200;

const sectionName = /^[A-Za-z0-9][A-Za-z0-9_.:/ -]{0,119}$/;
const codeLine = /^code ([0-9A-Za-z -]{1,40})$/;

/** Windows may write a byte order mark, and line breaks with carriage returns. */
const splitLines = (text: string, limit: number) => text.replace(/^\uFEFF/, '').split(/\r?\n/, limit);

/**
 * Reads the first three lines of a report. Nothing else is looked at, so that a report with an unknown code costs nothing.
 * @returns the reason in words if it is not the beginning of a report
 */
export function parseHeader(text: string): ReportHeader | { problem: string } {
  if (text.length > MAXIMUM_REPORT_CHARACTERS) {
    return { problem: 'This is not a report of the shop’s script: it is too long. Nothing was kept.' };
  }
  const [first, codeText = '', systemText = ''] = splitLines(text.slice(0, MAXIMUM_HEADER_CHARACTERS), 3);
  if (first !== 'laptop-report 1') {
    return {
      problem: 'This is not a report from the current version of the shop’s script. Nothing was kept.',
    };
  }
  const code = codeLine.exec(codeText)?.[1];
  const system = MeasuredSystem.safeParse(systemText.replace(/^system /, ''));
  if (code === undefined || !system.success) {
    return {
      problem: 'The beginning of the report is damaged. Nothing was kept. Please run the script again.',
    };
  }
  return { code, system: system.data };
}

const damaged = { problem: 'The report is damaged. Nothing was kept. Please run the script again.' };

/**
 * Splits a report into its sections.
 * @returns the reason in words if it is not a complete report
 */
export function parseReport(text: string): Report | { problem: string } {
  const header = parseHeader(text);
  if ('problem' in header) return header;
  const all = splitLines(text, MAXIMUM_LINES + 1);
  if (all.length > MAXIMUM_LINES) {
    return { problem: 'This is not a report of the shop’s script: it has too many lines. Nothing was kept.' };
  }
  const lines = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of all.slice(3)) {
    if (line.startsWith('\t')) {
      if (current === undefined) return damaged;
      current.push(line.slice(1));
    } else if (line.startsWith('== ')) {
      const name = line.slice(3);
      if (!sectionName.test(name) || lines.has(name) || lines.size === MAXIMUM_SECTIONS) return damaged;
      current = [];
      lines.set(name, current);
    } else if (line !== '') return damaged;
  }
  // A report that was cut off lacks the line that the scripts write last.
  if (!lines.delete('end')) {
    return { problem: 'The report is incomplete. Nothing was kept. Please run the script again.' };
  }
  const sections = new Map([...lines].map(([name, content]) => [name, content.join('\n').trim()]));
  return { ...header, sections };
}
