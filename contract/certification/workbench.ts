/** Whether a file is JSON, as a snapshot of eReuse Workbench is and a report of the shop's scripts is not. */
export const isSnapshot = (text: string): boolean => text.trimStart().startsWith('{');

/** Puts a snapshot, which has no code, into a report with the code of the page. */
export function reportOfSnapshot(snapshot: string, code: string): string {
  const lines = snapshot.replace(/^\uFEFF/, '').split(/\r?\n/);
  return [
    'laptop-report 1',
    `code ${code}`,
    'system workbench',
    '== snapshot',
    ...lines.map((line) => `\t${line}`),
    '== end',
    '',
  ].join('\n');
}
