import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  InspectionScript,
  MeasuredSystem,
  MeasurementCode,
} from '#contract/certification/inspections.ts';

/** A script of `inspect/` as it is served. */
export interface ServedScript {
  system: MeasuredSystem;
  fileName: string;
  content: Buffer;
  sha256: string;
}

const fileNames: Record<MeasuredSystem, string> = {
  linux: 'linux.sh',
  windows: 'windows.ps1',
  macos: 'macos.sh',
};

const folder = join(import.meta.dirname, '../../../inspect');

/** Reads the scripts once; they change with the shop's version only. */
export function readScripts(): Promise<ServedScript[]> {
  const systems = ['linux', 'windows', 'macos'] as const;
  return Promise.all(
    systems.map(async (system) => {
      const fileName = fileNames[system];
      const content = await readFile(join(folder, fileName));
      return { system, fileName, content, sha256: createHash('sha256').update(content).digest('hex') };
    }),
  );
}

/**
 * Downloads a script, and runs it if that succeeded. PowerShell as administrator starts in a folder of Windows. Windows
 * forbids scripts from the network unless `-ExecutionPolicy` allows this one.
 * @param origin without a trailing slash
 */
function commandFor(system: MeasuredSystem, url: string, origin: string, code: string): string {
  switch (system) {
    case 'linux':
      return `curl -fsSo measure.sh ${url} && sudo sh measure.sh ${origin} ${code}`;
    case 'macos':
      return `curl -fsSo measure.sh ${url} && sh measure.sh ${origin} ${code}`;
    case 'windows':
      return `cd ~; irm ${url} -OutFile measure.ps1 -ErrorAction Stop; if ($?) { powershell -ExecutionPolicy Bypass -File .\\measure.ps1 ${origin} ${code} }`;
  }
}

/** Runs a script that was saved in the home folder, and writes its report there. */
function fileCommandFor(system: MeasuredSystem, origin: string, code: string): string {
  const fileName = fileNames[system];
  switch (system) {
    case 'linux':
      return `sudo sh ${fileName} ${origin} ${code} --file`;
    case 'macos':
      return `sh ${fileName} ${origin} ${code} --file`;
    case 'windows':
      return `cd ~; powershell -ExecutionPolicy Bypass -File .\\${fileName} ${origin} ${code} -File`;
  }
}

/** A script as the page offers it, with the lines to type. */
function scriptResponse(script: ServedScript, origin: string, code: string): InspectionScript {
  const url = `${origin}/inspect/${script.fileName}`;
  return {
    system: script.system,
    url,
    sha256: script.sha256,
    command: commandFor(script.system, url, origin, code),
    fileCommand: fileCommandFor(script.system, origin, code),
  };
}

/** A code with the lines to type, by system. */
export function codeResponse(
  { code, expiresAt }: { code: string; expiresAt: Date },
  scripts: readonly ServedScript[],
  origin: string,
): MeasurementCode {
  return {
    code,
    expiresAt: expiresAt.toISOString(),
    scripts: scripts.map((script) => scriptResponse(script, origin, code)),
  };
}
