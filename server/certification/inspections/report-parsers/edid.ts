const HEADER = [0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00];
const FIRST_TIMING = 54;

/** Longer than a firmware's table, the longest thing that is dumped: the scripts cut sections at 131,072 bytes. */
const MAXIMUM_DUMP_CHARACTERS = 140_000;

/** Bytes from a dump of hexadecimal pairs, as `od -An -v -tx1` writes it. @returns null when it is none, or too long */
export function parseHexDump(dump: string): Uint8Array | null {
  if (dump.length > MAXIMUM_DUMP_CHARACTERS || /[^0-9a-f\s]/.test(dump)) return null;
  // A digit alone or a third one behind a pair.
  if (/(?<!\S)\S(?!\S)|\S{3}/.test(dump)) return null;
  const bytes = Buffer.from(dump.replace(/\s+/g, ''), 'hex');
  return bytes.length === 0 ? null : bytes;
}

export interface Screen {
  /** The diagonal, to a tenth. */
  inches: number;
  /** Pixels. */
  width: number;
  height: number;
}

/** Where the size of the screen stands in whole centimetres; zero when it is unknown or only its proportions are. */
const HEADER_SIZE = 21;

/** Whether a size in millimetres is that many centimetres, which firmware rounds up, down or to the nearest. */
const isRounded = (millimetres: number, centimetres: number) => Math.abs(millimetres - centimetres * 10) < 10;

/**
 * Reads a screen's size and resolution from its EDID (VESA E-EDID 1.4): its first timing descriptor is the native
 * resolution and has the size in millimetres, which must agree with the one in the header. Some timings have the size of another
 * screen, or its proportions such as 16 × 9.
 * @returns null when the block is damaged, contradicts itself or describes no screen of a laptop
 */
export function readEdid(edid: Uint8Array): Screen | null {
  if (edid.length < 128 || !HEADER.every((byte, index) => edid[index] === byte)) return null;
  const sum = edid.subarray(0, 128).reduce((total, byte) => total + byte, 0);
  if (sum % 256 !== 0) return null;
  const timing = edid.subarray(FIRST_TIMING, FIRST_TIMING + 18);
  const [clockLow = 0, clockHigh = 0, widthLow = 0, , widthHigh = 0, heightLow = 0, , heightHigh = 0] =
    timing;
  if (clockLow === 0 && clockHigh === 0) return null;
  const width = widthLow + ((widthHigh & 0xf0) << 4);
  const height = heightLow + ((heightHigh & 0xf0) << 4);
  const [wideLow = 0, highLow = 0, upperBits = 0] = timing.subarray(12);
  const millimetresWide = wideLow + ((upperBits & 0xf0) << 4);
  const millimetresHigh = highLow + ((upperBits & 0x0f) << 8);
  const [centimetresWide = 0, centimetresHigh = 0] = edid.subarray(HEADER_SIZE, HEADER_SIZE + 2);
  if (!isRounded(millimetresWide, centimetresWide) || !isRounded(millimetresHigh, centimetresHigh)) {
    return null;
  }
  const inches = Math.round((Math.hypot(millimetresWide, millimetresHigh) / 25.4) * 10) / 10;
  if (inches < 7 || inches > 22 || width < 640 || height < 480) return null;
  return { inches, width, height };
}

/**
 * The main screen of a laptop: the largest of its internal ones.
 * @param dumps their EDIDs as hexadecimal pairs; empty for a connection without a screen
 * @returns null when the EDID of one of them cannot be read, because it may be the main one
 */
export function readMainScreen(dumps: readonly string[]): Screen | null {
  let main: Screen | null = null;
  for (const dump of dumps) {
    if (dump.trim() === '') continue;
    const bytes = parseHexDump(dump);
    const screen = bytes === null ? null : readEdid(bytes);
    if (screen === null) return null;
    if (main === null || screen.inches > main.inches) main = screen;
  }
  return main;
}
