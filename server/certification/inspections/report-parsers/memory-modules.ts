import { MAXIMUM_MODULES, type Memory, type MemoryModule } from '#contract/certification/machine.ts';
import { toInteger, toLine } from './values.ts';

/** A memory module as a system reports it. */
export interface ReportedModule {
  /** 0 for an empty slot; null when the size is unknown. */
  megabytes: number | null;
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

/** ROM, Flash, EEPROM, FEPROM and EPROM, which hold the firmware and which some tables list among the modules (DMTF DSP0134, 7.18.2). */
const firmwareKinds: readonly ReportedModule['kind'][] = [8, 9, 10, 11, 12];

/** The modules without empty slots and the firmware's own memory. */
const mainMemory = (reported: readonly ReportedModule[]) =>
  reported.filter(({ megabytes, kind }) => megabytes !== 0 && !firmwareKinds.includes(kind));

/** More gigabytes than a laptop can have. */
const MAXIMUM_GIGABYTES = 1024;

/** The modules; null without any, and when the size of one is unknown or not a whole number of gigabytes. */
export function toModules(reported: readonly ReportedModule[]): MemoryModule[] | null {
  const installed = mainMemory(reported);
  const modules = installed.flatMap(({ megabytes, kind, speed }): MemoryModule[] => {
    const gigabytes = megabytes === null ? null : toInteger(megabytes / 1024, 1, MAXIMUM_GIGABYTES);
    if (gigabytes === null) return [];
    return [{ gigabytes, kind: kindName(kind), speed: toInteger(speed, 100, 20_000) }];
  });
  if (modules.length === 0 || modules.length < installed.length) return null;
  return modules.slice(0, MAXIMUM_MODULES);
}

/**
 * The memory that the firmware's list of modules adds up to; only a lower bound when the size of one is unknown, or when the sum
 * is not a whole number of gigabytes.
 * @returns null without any module of a known size
 */
export function installedMemory(reported: readonly ReportedModule[]): Memory | null {
  const sizes = mainMemory(reported).map(({ megabytes }) => megabytes);
  const sum = sizes.reduce<number>((total, size) => total + (size ?? 0), 0) / 1024;
  const gigabytes = toInteger(Math.floor(sum), 1, MAXIMUM_GIGABYTES);
  if (gigabytes === null) return null;
  const isExact = gigabytes === sum && !sizes.includes(null);
  return isExact ? { value: gigabytes, source: 'firmware' } : { atLeast: gigabytes, source: 'firmware' };
}

/** The memory of a system that reports all of it, as macOS does in `hw.memsize`. @param bytes null when unknown */
export function exactMemory(bytes: number | null): Memory | null {
  const gigabytes = toInteger(bytes === null ? null : bytes / 2 ** 30, 1, MAXIMUM_GIGABYTES);
  return gigabytes === null ? null : { value: gigabytes, source: 'system' };
}

/**
 * A lower bound of the memory, from what firmware and graphics leave to the system: modules have whole gigabytes.
 * @param bytes null when unknown
 */
export function leastMemory(bytes: number | null): Extract<Memory, { atLeast: number }> | null {
  const gigabytes = toInteger(bytes === null ? null : Math.ceil(bytes / 2 ** 30), 1, MAXIMUM_GIGABYTES);
  return gigabytes === null ? null : { atLeast: gigabytes, source: 'system' };
}
