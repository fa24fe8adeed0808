import type { ReportedModule } from './memory-modules.ts';

/** Type of the structure that describes one memory module (DMTF DSP0134, 7.18). */
const MEMORY_DEVICE = 17;
const SIZE_IN_EXTENDED_FIELD = 0x7fff;
const UNKNOWN_WORD = 0xffff;

/** The megabytes of a memory device, which is at least 0x0e bytes long; null when unknown. */
function moduleMegabytes(device: DataView): number | null {
  const size = device.getUint16(0x0c, true);
  if (size === UNKNOWN_WORD) return null;
  if (size === SIZE_IN_EXTENDED_FIELD) {
    return device.byteLength >= 0x20 ? device.getUint32(0x1c, true) & 0x7fffffff : null;
  }
  // The highest bit says that the unit is a kilobyte.
  return size & 0x8000 ? (size & 0x7fff) / 1024 : size;
}

/** The speed as configured, or else as the module allows; older firmware knows only the latter. */
function moduleSpeed(device: DataView): number | null {
  const speeds = [0x20, 0x15].map((at) => (device.byteLength >= at + 2 ? device.getUint16(at, true) : 0));
  return speeds.find((speed) => speed !== 0 && speed !== UNKNOWN_WORD) ?? null;
}

function readModule(device: DataView): ReportedModule {
  return {
    megabytes: moduleMegabytes(device),
    kind: device.byteLength > 0x12 ? device.getUint8(0x12) : null,
    speed: moduleSpeed(device),
  };
}

/**
 * Reads the memory modules in the firmware's SMBIOS table.
 * @returns null when the table is damaged
 */
export function readModules(table: Uint8Array): ReportedModule[] | null {
  const modules: ReportedModule[] = [];
  let offset = 0;
  while (offset + 4 <= table.length) {
    const [type, length = 0] = table.subarray(offset, offset + 2);
    if (length < 4 || offset + length > table.length) return null;
    if (type === MEMORY_DEVICE && length >= 0x0e) {
      modules.push(readModule(new DataView(table.buffer, table.byteOffset + offset, length)));
    }
    offset = endOfStrings(table, offset + length);
  }
  return modules;
}

/** The texts of a structure follow it, each ended by a zero, and the last one by two. */
function endOfStrings(table: Uint8Array, start: number): number {
  let offset = start;
  while (offset + 1 < table.length && (table[offset] !== 0 || table[offset + 1] !== 0)) offset += 1;
  return offset + 2;
}

/** Firmware writes dates as month/day/year. */
export function readFirmwareDate(text: string | undefined): string | null {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/((?:19|20)\d\d)$/.exec(text ?? '') ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

/** Whether a model's text is the beginning of its maker's name. */
const repeatsMaker = (maker: string | null, model: string): boolean =>
  maker?.toLowerCase().startsWith(model.toLowerCase()) ?? false;

/**
 * A laptop's model. Lenovo's product name is a type number; its version is the name that people know. A text that only repeats
 * the maker, such as the version `Lenovo`, is no model.
 */
export function modelName(
  maker: string | null,
  productName: string | null,
  version: string | null,
): string | null {
  const names = /^lenovo$/i.test(maker ?? '') ? [version, productName] : [productName];
  return names.find((name) => name !== null && !repeatsMaker(maker, name)) ?? null;
}

/** The mainboard's maker and model; null without the model. Some makers repeat theirs in it. */
export function boardName(maker: string | null, model: string | null): string | null {
  if (maker === null || model === null) return model;
  if (repeatsMaker(maker, model)) return null;
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`;
}
