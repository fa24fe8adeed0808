/** The SMBIOS numbers of the kinds of memory (DMTF DSP0134, 7.18.2). */
const kinds = { LPDDR3: 29, DDR4: 26, LPDDR4: 30, DDR5: 34, LPDDR5: 35 };

/**
 * The firmware's table of memory modules, as a hexadecimal dump.
 * @param memory as listed, such as `16 GB DDR4-3200 (2 × 8 GB)`; soldered memory is one module
 * @throws Error when the text has no size or no known kind
 */
export function memoryTable(memory: string): string {
  const [, total, family, speed] = /^(\d+) GB ((?:LP)?DDR\d)X?(?:-(\d+))?/.exec(memory) ?? [];
  const [, count, size] = /\((\d) × (\d+) GB/.exec(memory) ?? [];
  const kind = Object.entries(kinds).find(([name]) => name === family)?.[1];
  if (total === undefined || kind === undefined) throw new Error(`No memory modules: ${memory}`);
  const module = new Uint8Array(0x28);
  const view = new DataView(module.buffer);
  module.set([17, module.length]);
  // The size is in the extended field, in megabytes.
  view.setUint16(0x0c, 0x7fff, true);
  view.setUint32(0x1c, Number(size ?? total) * 1024, true);
  view.setUint8(0x12, kind);
  view.setUint16(0x20, Number(speed ?? 0), true);
  // Each structure ends with its texts, of which there are none, and the table with the structure 127.
  const structures = Array.from({ length: Number(count ?? 1) }, () => [...module, 0, 0]);
  const table = Buffer.from([...structures.flat(), 127, 4, 0, 0, 0, 0]);
  return table.toString('hex').replace(/../g, ' $&');
}
