/** Type of the structure that describes one memory module (DMTF DSP0134, 7.18). */
const MEMORY_DEVICE = 17;
const SIZE_IN_EXTENDED_FIELD = 0x7fff;

/**
 * Adds up the memory modules in the firmware's SMBIOS table.
 * @returns gigabytes; null when the table is damaged or has no modules
 */
export function installedMemory(table: Uint8Array): number | null {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  let megabytes = 0;
  let offset = 0;
  while (offset + 4 <= table.length) {
    const type = view.getUint8(offset);
    const length = view.getUint8(offset + 1);
    if (length < 4 || offset + length > table.length) return null;
    if (type === MEMORY_DEVICE && length >= 0x0e) {
      const size = view.getUint16(offset + 0x0c, true);
      if (size === SIZE_IN_EXTENDED_FIELD && length >= 0x20) {
        megabytes += view.getUint32(offset + 0x1c, true) & 0x7fffffff;
      } else if (size !== 0xffff && size !== SIZE_IN_EXTENDED_FIELD) {
        // The highest bit says that the unit is a kilobyte.
        megabytes += size & 0x8000 ? (size & 0x7fff) / 1024 : size;
      }
    }
    offset = endOfStrings(table, offset + length);
  }
  const gigabytes = Math.round(megabytes / 1024);
  return gigabytes > 0 && gigabytes <= 1024 ? gigabytes : null;
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

/** A laptop's model. Lenovo's product name is a type number; its version is the name that people know. */
export const modelName = (
  maker: string | null,
  productName: string | null,
  version: string | null,
): string | null => (/^lenovo$/i.test(maker ?? '') ? (version ?? productName) : productName);
