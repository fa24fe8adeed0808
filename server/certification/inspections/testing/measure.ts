import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import type { Person, SharedShop } from '#tests/harness/operations/shop.ts';
import { writeTree } from './linux-tree.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../../inspect/linux.sh');

/** The files of a machine, by path. */
export type MachineFiles = Readonly<Record<string, string | Uint8Array>>;

/** The code that recorded reports have. */
const RECORDED_CODE = 'RECORDED';

/** The reports of machines that this process has measured, by their files. The script takes half a second of processor time. */
const recorded = new Map<string, Promise<string>>();

/** What recorded reports have in place of a serial number. */
const placeholderOf = (path: string) => `serial-of-${path.replaceAll('/', '-')}`;

/** The serial numbers among a machine's files, by path. The script copies them. */
const serialsOf = (files: MachineFiles): [path: string, serial: string][] =>
  Object.entries(files).flatMap(([path, content]) => {
    const serial = /[_/]serial$/.test(path) ? /^(\w+)\n?$/.exec(String(content))?.[1] : undefined;
    return serial === undefined ? [] : [[path, serial]];
  });

/**
 * Returns the report of a machine, for which the script for Linux runs once: of the report only the code and serial numbers differ.
 * Commands may sign the code; with them the script runs each time.
 * @param commands shell scripts by name, in place of the system's commands
 */
export async function createReport(
  files: MachineFiles,
  origin: string,
  code: string,
  commands?: Readonly<Record<string, string>>,
): Promise<string> {
  if (commands !== undefined) return runScript(files, origin, code, commands);
  const serials = serialsOf(files);
  const likeFiles: MachineFiles = {
    ...files,
    ...Object.fromEntries(serials.map(([path]) => [path, `${placeholderOf(path)}\n`])),
  };
  const machine = JSON.stringify(
    Object.entries(likeFiles).map(([path, content]) => [path, [...Buffer.from(content)]]),
  );
  const recording = recorded.get(machine) ?? runScript(likeFiles, origin, RECORDED_CODE, {});
  recorded.set(machine, recording);
  let report = (await recording).replace(`code ${RECORDED_CODE}\n`, `code ${code}\n`);
  for (const [path, serial] of serials)
    report = report.replaceAll(`\t${placeholderOf(path)}\n`, `\t${serial}\n`);
  return report;
}

/** Runs the script for Linux against a prepared tree. */
async function runScript(
  files: MachineFiles,
  origin: string,
  code: string,
  commands: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await writeTree(files);
  try {
    await mkdir(join(folder, 'commands'));
    for (const [name, content] of Object.entries(commands)) {
      await writeFile(join(folder, 'commands', name), `#!/bin/sh\n${content}`, { mode: 0o755 });
    }
    await run('sh', [script, origin, code, '--file'], {
      cwd: folder,
      env: { PATH: `${join(folder, 'commands')}:${process.env.PATH}`, INSPECT_ROOT: folder },
    });
    return await readFile(join(folder, 'laptop-report.txt'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Sends a report as the script does. @returns its answer as text */
export async function sendReport(origin: string, report: string): Promise<string> {
  const response = await fetch(`${origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: report,
  });
  return response.text();
}

/** Measures a seller's laptop as a machine with these files. */
export async function measureAs(
  { origin }: SharedShop,
  seller: Person,
  laptopId: string,
  files: MachineFiles,
): Promise<void> {
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  await sendReport(origin, await createReport(files, origin, code));
}
