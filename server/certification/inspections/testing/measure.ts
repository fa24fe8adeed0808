import { createMeasurementCode } from '#contract/certification/inspections.ts';
import type { Person, SharedShop } from '#tests/harness/operations/shop.ts';
import { driveLinks, hexDump } from './linux-tree.ts';
import { writeReport } from './worst-reports.ts';

/** The files of a machine, by path. */
export type MachineFiles = Readonly<Record<string, string | Uint8Array>>;

/** The names that the script for Linux gives to the sections of files, by their paths. */
const sectionNames: readonly (readonly [path: RegExp, name: string])[] = [
  [/^\/sys\/class\/dmi\/id\//, 'dmi/'],
  [/^\/proc\//, ''],
  [/^\/etc\//, ''],
  [/^\/sys\/firmware\/dmi\/tables\/DMI$/, 'smbios'],
  [/^\/sys\/class\/power_supply\//, 'battery/'],
  [/^\/sys\/class\/drm\/(.*)\/edid$/, 'edid/$1'],
  [/^\/sys\/block\//, 'drive/'],
  [/^\/sys\/class\/firmware-attributes\//, 'firmware/'],
];

function sectionName(path: string): string {
  const found = sectionNames.find(([each]) => each.test(path));
  if (found === undefined) throw new Error(`No section has ${path}.`);
  return path.replace(...found);
}

/**
 * The report of a machine with these files, without running the script for Linux, which takes half a second of processor time.
 * linux-script.test.ts shows that the script reports the same.
 */
export const createReport = (files: MachineFiles, code: string): string =>
  writeReport(
    'linux',
    Object.fromEntries([
      ['drive/nvme0n1/link', driveLinks.nvme],
      ...Object.entries(files).map(([path, content]) => [
        sectionName(path),
        typeof content === 'string' ? content.trimEnd() : hexDump(content),
      ]),
    ]),
    code,
  );

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
  await sendReport(origin, createReport(files, code));
}
