/** Writes a line about the progress; the tables go to the standard output. */
export const logLine = (line: string): boolean => process.stderr.write(`${line}\n`);
