import { leadingInteger, type ReportedModule, toMegabytes } from './memory-modules.ts';

/** SMBIOS structure types (DMTF DSP0134). */
export const structureTypes = { firmware: 0, system: 1, board: 2, processor: 4, memoryModule: 17 } as const;

/** A structure of the firmware's SMBIOS table: values by name. */
interface Structure {
  type: number;
  values: ReadonlyMap<string, string>;
}

/** A laptop has fewer than 100. */
const MAXIMUM_STRUCTURES = 500;
/** A laptop has about 2,000. */
const MAXIMUM_LINES = 20_000;

/** Splits the text that `dmidecode` prints. Lists below a value are left out. */
export function splitDmidecode(text: string): Structure[] {
  const structures: (Structure & { values: Map<string, string> })[] = [];
  for (const line of text.split('\n', MAXIMUM_LINES)) {
    const type = /^Handle 0x[0-9A-F]{4}, DMI type (\d{1,3}), \d{1,5} bytes/.exec(line)?.[1];
    const colon = line.indexOf(': ');
    const current = structures.at(-1);
    if (type !== undefined) {
      if (structures.length === MAXIMUM_STRUCTURES) return structures;
      structures.push({ type: Number(type), values: new Map() });
    } else if (current !== undefined && colon > 1 && /^\t[A-Z]/.test(line)) {
      current.values.set(line.slice(1, colon), line.slice(colon + 2).trim());
    }
  }
  return structures;
}

/** The memory modules and empty slots. */
export const readModules = (structures: readonly Structure[]): ReportedModule[] =>
  structures
    .filter(({ type }) => type === structureTypes.memoryModule)
    .map(({ values }) => ({
      megabytes: toMegabytes(values.get('Size')),
      kind: values.get('Type') ?? null,
      // As configured, or else as the module allows. Versions before 3.2 call the first a clock speed.
      speed:
        leadingInteger(values.get('Configured Memory Speed')) ??
        leadingInteger(values.get('Configured Clock Speed')) ??
        leadingInteger(values.get('Speed')),
    }));
