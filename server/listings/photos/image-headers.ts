export type PhotoKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic';

/** How many bytes {@link detectPhotoKind} reads. */
export const SIGNATURE_BYTES = 64;

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

/** Detects the kind of a HEIF file by its major brand, or by the first compatible brand that names a codec. */
function detectHeifKind(bytes: Uint8Array): PhotoKind | null {
  const brands = ascii(bytes, 16, SIGNATURE_BYTES).match(/.{4}/gs) ?? [];
  const major = ascii(bytes, 8, 12);
  // "mif1" and "msf1" allow any codec.
  if (major !== 'mif1' && major !== 'msf1') return heifBrands[major] ?? null;
  return brands.map((brand) => heifBrands[brand]).find((kind) => kind !== undefined) ?? 'heic';
}

/**
 * Detects the kind of an image by its first {@link SIGNATURE_BYTES} bytes. File names and declared media types are not
 * trusted.
 * @returns null for a file of any other kind
 */
export function detectPhotoKind(bytes: Uint8Array): PhotoKind | null {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (ascii(bytes, 4, 8) === 'ftyp') return detectHeifKind(bytes);
  return null;
}

/** JPEG markers: start of scan, end of image; and the byte that precedes each marker and may be repeated. */
const [SOS, EOI, MARKER_PREFIX] = [0xda, 0xd9, 0xff];

/** Markers without a segment: RST0 to RST7, SOI and TEM; 0 is a stuffed data byte. */
function hasNoSegment(marker: number): boolean {
  return marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/**
 * Counts the scans of a JPEG up to its end marker, and finds whether there is one, in time linear in its bytes. A decoder processes the whole image for
 * each scan, so their number multiplies the cost of a file.
 * @param limit counting stops above this number
 */
export function findScans(jpeg: Uint8Array, limit: number): { scans: number; hasEndMarker: boolean } {
  let scans = 0;
  let offset = 2;
  while (scans <= limit) {
    offset = jpeg.indexOf(MARKER_PREFIX, offset);
    if (offset === -1) break;
    const marker = jpeg[offset + 1];
    if (marker === EOI) return { scans, hasEndMarker: true };
    if (marker === undefined) break;
    if (marker === MARKER_PREFIX) {
      offset += 1;
    } else if (hasNoSegment(marker)) {
      offset += 2;
    } else {
      if (marker === SOS) scans += 1;
      // The length includes its own two bytes. The entropy-coded data after a scan's header is searched for markers.
      const length = ((jpeg[offset + 2] ?? 0) << 8) | (jpeg[offset + 3] ?? 0);
      offset += 2 + Math.max(2, length);
    }
  }
  return { scans, hasEndMarker: false };
}

interface Box {
  readonly type: string;
  /** Without the header; shorter than stated when the file is truncated. */
  readonly content: Buffer;
  readonly isComplete: boolean;
}

/** Yields the sibling boxes of an ISO base media file. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  let offset = 0;
  while (offset + 8 <= bytes.length) {
    // A 32-bit size of 1 announces a 64-bit size after the type; a size of 0 extends the box to the end of the file.
    const size32 = bytes.readUInt32BE(offset);
    const headerBytes = size32 === 1 ? 16 : 8;
    if (offset + headerBytes > bytes.length) return;
    const statedSize = size32 === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : size32;
    const size = statedSize === 0 ? bytes.length - offset : statedSize;
    if (size < headerBytes) return;
    yield {
      type: bytes.toString('latin1', offset + 4, offset + 8),
      content: bytes.subarray(offset + headerBytes, offset + size),
      isComplete: offset + size <= bytes.length,
    };
    offset += size;
  }
}

function* contentsOf(bytes: Buffer, type: string): Generator<Buffer> {
  for (const box of boxesIn(bytes)) if (box.type === type) yield box.content;
}

/** Whether a HEIF file ends in the middle of a box. libheif would decode the missing part as black. */
export function isTruncated(heif: Buffer): boolean {
  for (const { isComplete } of boxesIn(heif)) if (!isComplete) return true;
  return false;
}

/** Finds the first ICC profile among a HEIF file's image properties; null without one. */
export function findIccProfile(heif: Buffer): Buffer | null {
  for (const meta of contentsOf(heif, 'meta')) {
    // Four bytes of version and flags precede the inner boxes.
    for (const itemProperties of contentsOf(meta.subarray(4), 'iprp')) {
      for (const container of contentsOf(itemProperties, 'ipco')) {
        for (const colour of contentsOf(container, 'colr')) {
          const kind = colour.toString('latin1', 0, 4);
          if (kind === 'prof' || kind === 'rICC') return colour.subarray(4);
        }
      }
    }
  }
  return null;
}
