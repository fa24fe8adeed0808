import { MAXIMUM_MODULES, type MemoryModule } from '#contract/machine.ts';
import { toInteger, toLine } from './values.ts';

/** A memory module as a system reports it; an empty slot has no megabytes. */
export interface ReportedModule {
  megabytes: number;
  /** As the firmware numbers it (DMTF DSP0134, 7.18.2), or its name. */
  kind: number | string | null;
  /** Millions of transfers per second. */
  speed: number | null;
}

/** Kinds of memory by their number in SMBIOS, which Windows uses as well. */
const kinds = new Map([
  [18, 'DDR'],
  [19, 'DDR2'],
  [24, 'DDR3'],
  [26, 'DDR4'],
  [27, 'LPDDR'],
  [28, 'LPDDR2'],
  [29, 'LPDDR3'],
  [30, 'LPDDR4'],
  [34, 'DDR5'],
  [35, 'LPDDR5'],
]);

/** Names such as `DDR4` and `LPDDR5X`; systems also write `Unknown`, `Other` and `RAM`. */
function kindName(kind: ReportedModule['kind']): string | null {
  if (typeof kind === 'number') return kinds.get(kind) ?? null;
  const name = toLine(kind);
  return name !== null && /^(?:LP)?DDR[1-9]?X?$/.test(name) ? name : null;
}

/** The modules with at least a gigabyte; null without any. */
export function toModules(reported: readonly ReportedModule[]): MemoryModule[] | null {
  const modules = reported.flatMap(({ megabytes, kind, speed }): MemoryModule[] => {
    const gigabytes = toInteger(Math.round(megabytes / 1024), 1, 1024);
    if (gigabytes === null) return [];
    return [{ gigabytes, kind: kindName(kind), speed: toInteger(speed, 100, 20_000) }];
  });
  return modules.length === 0 ? null : modules.slice(0, MAXIMUM_MODULES);
}

/** The capacity of the modules together, in gigabytes; null without any. */
export function totalGigabytes(reported: readonly ReportedModule[]): number | null {
  const megabytes = reported.reduce((sum, module) => sum + module.megabytes, 0);
  return toInteger(Math.round(megabytes / 1024), 1, 1024);
}

/** A whole number before a unit, such as `2667 MT/s`; null for any other text. */
export function leadingInteger(text: string | null | undefined): number | null {
  const [, digits] = /^(\d{1,7}) /.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The megabytes of a size such as `8192 MB` and `8 GB`; 0 for any other text, such as that of an empty slot. */
export function toMegabytes(size: string | null | undefined): number {
  const [, digits, unit] = /^(\d{1,7}) ([MG])B$/.exec(size ?? '') ?? [];
  return Number(digits ?? 0) * (unit === 'G' ? 1024 : 1);
}
