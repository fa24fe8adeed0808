export type PhotoKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic';

/** How many bytes {@link photoKind} looks at. */
export const KIND_BYTES = 64;

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

const heifBrands: Readonly<Record<string, PhotoKind>> = {
  avif: 'avif',
  avis: 'avif',
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
};

/** The kind of a HEIF file: its major brand, or the first compatible brand that names a coding. */
function heifKind(bytes: Uint8Array): PhotoKind | null {
  const brands = ascii(bytes, 16, KIND_BYTES).match(/.{4}/gs) ?? [];
  const major = ascii(bytes, 8, 12);
  // "mif1" and "msf1" stand for any coding.
  if (major !== 'mif1' && major !== 'msf1') return heifBrands[major] ?? null;
  return brands.map((brand) => heifBrands[brand]).find((kind) => kind !== undefined) ?? 'heic';
}

/**
 * The kind of a picture by its first {@link KIND_BYTES} bytes. File names and declared media types are not trusted.
 * @returns null for a file that is none of the accepted kinds
 */
export function photoKind(bytes: Uint8Array): PhotoKind | null {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (ascii(bytes, 4, 8) === 'ftyp') return heifKind(bytes);
  return null;
}

const [SCAN, END, FILL] = [0xda, 0xd9, 0xff];

/** Markers that stand alone, without a segment: RST0 to RST7, SOI and TEM; 0 is a stuffed data byte. */
function hasNoSegment(marker: number): boolean {
  return marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/**
 * Counts the scans of a JPEG up to its end marker, in time linear in its bytes. A decoder goes over the whole picture
 * for each scan, so their number multiplies the cost of a file.
 * @param limit counting ends above this number
 */
export function countScans(jpeg: Uint8Array, limit: number): number {
  let scans = 0;
  let at = 2;
  while (scans <= limit) {
    at = jpeg.indexOf(FILL, at);
    if (at === -1) break;
    const marker = jpeg[at + 1];
    if (marker === undefined || marker === END) break;
    if (marker === FILL) {
      at += 1;
    } else if (hasNoSegment(marker)) {
      at += 2;
    } else {
      if (marker === SCAN) scans += 1;
      // The length counts its own two bytes. The coded data after a scan's header is searched for the next marker.
      const length = ((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0);
      at += 2 + Math.max(2, length);
    }
  }
  return scans;
}

interface Box {
  readonly type: string;
  /** Without the header; shorter than it should be when the file was cut off. */
  readonly content: Buffer;
  /** Whether all of it is there. */
  readonly whole: boolean;
}

/** The boxes of an ISO base media file that stand side by side. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    if (at + header > bytes.length) return;
    const long = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    const size = long === 0 ? bytes.length - at : long;
    if (size < header) return;
    yield {
      type: bytes.toString('latin1', at + 4, at + 8),
      content: bytes.subarray(at + header, at + size),
      whole: at + size <= bytes.length,
    };
    at += size;
  }
}

function* contentsOf(bytes: Buffer, type: string): Generator<Buffer> {
  for (const box of boxesIn(bytes)) if (box.type === type) yield box.content;
}

/** Whether a HEIF file ends in the middle of a box. libheif would show what is missing in black. */
export function isCutOff(heif: Buffer): boolean {
  for (const { whole } of boxesIn(heif)) if (!whole) return true;
  return false;
}

/** The first ICC profile among a HEIF file's image properties; null without one. */
export function iccProfileOf(heif: Buffer): Buffer | null {
  for (const meta of contentsOf(heif, 'meta')) {
    // Four bytes of version and flags come before the boxes inside.
    for (const properties of contentsOf(meta.subarray(4), 'iprp')) {
      for (const container of contentsOf(properties, 'ipco')) {
        for (const colour of contentsOf(container, 'colr')) {
          const kind = colour.toString('latin1', 0, 4);
          if (kind === 'prof' || kind === 'rICC') return colour.subarray(4);
        }
      }
    }
  }
  return null;
}
