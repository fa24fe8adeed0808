import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MeasuredSystem, type MeasurementCode } from '#contract/certification/inspections.ts';

/** A script of `inspect/` as it is served. */
export interface ServedScript {
  system: MeasuredSystem;
  fileName: string;
  content: Buffer;
  sha256: string;
}

interface Script {
  fileName: string;
  /** Downloads the script, and runs it if that succeeded. @param args the shop's origin and the code */
  command: (url: string, args: string) => string;
  /** Runs the script that was saved in the home folder, and writes its report there. */
  fileCommand: (args: string) => string;
}

const scripts: Readonly<Record<MeasuredSystem, Script>> = {
  linux: {
    fileName: 'linux.sh',
    command: (url, args) => `curl -fsSo measure.sh ${url} && sudo sh measure.sh ${args}`,
    fileCommand: (args) => `sudo sh linux.sh ${args} --file`,
  },
  // PowerShell as administrator starts in a folder of Windows. Windows forbids scripts from the network unless
  // `-ExecutionPolicy` allows this one.
  windows: {
    fileName: 'windows.ps1',
    command: (url, args) =>
      `cd ~; irm ${url} -OutFile measure.ps1 -ErrorAction Stop; if ($?) { powershell -ExecutionPolicy Bypass -File .\\measure.ps1 ${args} }`,
    fileCommand: (args) => `cd ~; powershell -ExecutionPolicy Bypass -File .\\windows.ps1 ${args} -File`,
  },
  macos: {
    fileName: 'macos.sh',
    command: (url, args) => `curl -fsSo measure.sh ${url} && sh measure.sh ${args}`,
    fileCommand: (args) => `sh macos.sh ${args} --file`,
  },
};

const folder = join(import.meta.dirname, '../../../inspect');

/** Reads the scripts once; they change with the shop's version only. */
export function readScripts(): Promise<ServedScript[]> {
  return Promise.all(
    MeasuredSystem.options.map(async (system) => {
      const { fileName } = scripts[system];
      const content = await readFile(join(folder, fileName));
      return { system, fileName, content, sha256: createHash('sha256').update(content).digest('hex') };
    }),
  );
}

/** A code with the lines to type, by system. @param origin without a trailing slash */
export function codeResponse(
  { code, expiresAt }: { code: string; expiresAt: Date },
  served: readonly ServedScript[],
  origin: string,
): MeasurementCode {
  const args = `${origin} ${code}`;
  return {
    code,
    expiresAt: expiresAt.toISOString(),
    scripts: served.map(({ system, fileName, sha256 }) => {
      const url = `${origin}/inspect/${fileName}`;
      const { command, fileCommand } = scripts[system];
      return { system, url, sha256, command: command(url, args), fileCommand: fileCommand(args) };
    }),
  };
}
