import { MAXIMUM_REPORT_CHARACTERS, MeasuringProgram } from '#contract/inspections.ts';

/** A report of a script in `inspect/`, or of a page about a file of another program, split into its sections. */
export interface Report {
  code: string;
  system: MeasuringProgram;
  /** The content of each section by name. */
  sections: ReadonlyMap<string, string>;
}

/** A laptop has about 60 sections. */
const MAXIMUM_SECTIONS = 300;

const sectionName = /^[A-Za-z0-9][A-Za-z0-9_.:/ -]{0,119}$/;
const codeLine = /^code ([0-9A-Za-z -]{1,40})$/;

/**
 * Splits a report. Windows may write a byte order mark, and line breaks with carriage returns.
 * @returns the reason in words if it is not a complete report
 */
export function parseReport(text: string): Report | { problem: string } {
  if (text.length > MAXIMUM_REPORT_CHARACTERS) {
    return { problem: 'This is not a report of the shop’s script: it is too long. Nothing was kept.' };
  }
  const [first, codeText = '', systemText = '', ...rest] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (first !== 'coomercio-report 1') {
    return {
      problem: 'This is not a report from the current version of the shop’s script. Nothing was kept.',
    };
  }
  const code = codeLine.exec(codeText)?.[1];
  const system = MeasuringProgram.safeParse(systemText.replace(/^system /, ''));
  if (code === undefined || !system.success) {
    return {
      problem: 'The beginning of the report is damaged. Nothing was kept. Please run the script again.',
    };
  }
  const lines = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of rest) {
    if (line.startsWith('\t')) {
      if (current === undefined)
        return { problem: 'The report is damaged. Nothing was kept. Please run the script again.' };
      current.push(line.slice(1));
    } else if (line.startsWith('== ')) {
      const name = line.slice(3);
      if (!sectionName.test(name) || lines.has(name) || lines.size === MAXIMUM_SECTIONS) {
        return { problem: 'The report is damaged. Nothing was kept. Please run the script again.' };
      }
      current = [];
      lines.set(name, current);
    } else if (line !== '') {
      return { problem: 'The report is damaged. Nothing was kept. Please run the script again.' };
    }
  }
  // A report that was cut off lacks the line that the scripts write last.
  if (!lines.delete('end')) {
    return { problem: 'The report is incomplete. Nothing was kept. Please run the script again.' };
  }
  const sections = new Map([...lines].map(([name, content]) => [name, content.join('\n').trim()]));
  return { code, system: system.data, sections };
}
