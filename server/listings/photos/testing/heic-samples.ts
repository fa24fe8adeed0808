import { readFile } from 'node:fs/promises';

/** An image coded as HEVC, and the box that configures its decoder. */
interface CodedImage {
  readonly width: number;
  readonly height: number;
  /** The `hvcC` box with its header. */
  readonly configuration: Buffer;
  readonly data: Buffer;
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A box with a version and flags. */
function fullBox(type: string, version: number, flags: number, ...content: Buffer[]): Buffer {
  return box(type, Buffer.from([version, 0, 0, flags]), ...content);
}

const u8 = (...values: number[]) => Buffer.from(values);
const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8(value >> 8, value & 255)));
const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')));

/** The boxes of one type anywhere in a file whose coded data cannot be mistaken for them. */
function boxesOf(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(type, 0, 'latin1'); at !== -1; at = bytes.indexOf(type, at + 4, 'latin1')) {
    found.push(bytes.subarray(at - 4, at - 4 + bytes.readUInt32BE(at - 4)));
  }
  return found;
}

/** The images of a HEIC file that heif-enc 1.15 wrote from several pictures of one size. */
export function codedImagesOf(bytes: Buffer): CodedImage[] {
  const configurations = boxesOf(bytes, 'hvcC');
  const sizes = boxesOf(bytes, 'ispe');
  const locations = boxesOf(bytes, 'iloc')[0] ?? Buffer.alloc(0);
  return configurations.map((configuration, index) => {
    // Version 0 with offsets of four bytes: id, reference, base offset, count of extents, offset, length.
    const at = 16 + index * 18;
    const start = locations.readUInt32BE(at + 4) + locations.readUInt32BE(at + 10);
    const size = sizes[index] ?? Buffer.alloc(20);
    return {
      width: size.readUInt32BE(12),
      height: size.readUInt32BE(16),
      configuration,
      data: bytes.subarray(start, start + locations.readUInt32BE(at + 14)),
    };
  });
}

/**
 * Three pictures of 128 × 128 pixels: red, blue and green. Made once, from PNGs that sharp wrote, with Debian's
 * libheif-examples 1.15.1 and x265 3.5: `heif-enc -q 60 -p preset=slow red.png blue.png green.png -o tiles.sample.heic`.
 */
export async function sampleTiles(): Promise<{
  file: Buffer;
  red: CodedImage;
  blue: CodedImage;
  green: CodedImage;
}> {
  const file = await readFile(new URL('../tiles.sample.heic', import.meta.url));
  const [red, blue, green] = codedImagesOf(file);
  if (red === undefined || blue === undefined || green === undefined) throw new Error('Three tiles expected');
  return { file, red, blue, green };
}

interface GridOptions {
  readonly columns: number;
  /** Row by row, all of one size. */
  readonly tiles: readonly CodedImage[];
  /** Pixels cut off at the right and at the bottom, as when a photo is no multiple of its tiles. */
  readonly cut?: { readonly width: number; readonly height: number };
  /** Counter-clockwise quarter turns with which a viewer shows the image (`irot`). */
  readonly quarterTurns?: 0 | 1 | 2 | 3;
  /** `imir`: 0 swaps top and bottom, 1 swaps left and right. */
  readonly mirror?: 0 | 1;
  readonly thumbnail?: CodedImage;
  /** An ICC profile. */
  readonly profile?: Buffer;
}

/**
 * A HEIC file laid out as an iPhone writes it: the primary image is a grid of hidden tiles in the order of ISO/IEC
 * 23008-12, its rotation is a property, and a thumbnail refers to it.
 */
export function heicGrid(options: GridOptions): Buffer {
  const {
    columns,
    tiles,
    cut = { width: 0, height: 0 },
    quarterTurns = 0,
    mirror,
    thumbnail,
    profile,
  } = options;
  const [first] = tiles;
  if (first === undefined) throw new RangeError('A grid has tiles');
  const rows = tiles.length / columns;
  const width = columns * first.width - cut.width;
  const height = rows * first.height - cut.height;
  const coded = thumbnail === undefined ? [...tiles] : [...tiles, thumbnail];
  const [gridId, thumbnailId] = [coded.length + 1, coded.length];

  const properties: Buffer[] = [];
  const property = (content: Buffer): number => {
    const known = properties.findIndex((other) => other.equals(content));
    return known === -1 ? properties.push(content) : known + 1;
  };
  const essential = (content: Buffer) => 0x80 | property(content);
  const sizeOf = (size: { width: number; height: number }) =>
    property(fullBox('ispe', 0, 0, u32(size.width, size.height)));
  const association = (id: number, indices: number[]) =>
    Buffer.concat([u16(id), u8(indices.length, ...indices)]);
  const associations = coded.map((image, index) =>
    association(index + 1, [essential(image.configuration), sizeOf(image)]),
  );
  const gridProperties = [sizeOf({ width, height })];
  if (profile !== undefined) gridProperties.push(property(box('colr', Buffer.from('prof'), profile)));
  if (mirror !== undefined) gridProperties.push(essential(box('imir', u8(mirror))));
  if (quarterTurns > 0) gridProperties.push(essential(box('irot', u8(quarterTurns))));
  associations.push(association(gridId, gridProperties));

  const entry = (id: number, type: string, hidden: boolean) =>
    fullBox('infe', 2, hidden ? 1 : 0, u16(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const entries = coded.map((_, index) => entry(index + 1, 'hvc1', true));
  const references = [
    box('dimg', u16(gridId, tiles.length, ...tiles.map((_, index) => index + 1))),
    ...(thumbnail === undefined ? [] : [box('thmb', u16(thumbnailId, 1, gridId))]),
  ];
  const grid = Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width, height)]);

  // The same image in several places is stored once.
  const stored = [...new Set(coded)];
  const starts = new Map<CodedImage, number>();
  let end = 0;
  for (const image of stored) {
    starts.set(image, end);
    end += image.data.length;
  }
  const metaWith = (dataStart: number) => {
    const inFile = coded.map((image, index) =>
      Buffer.concat([u16(index + 1, 0, 0, 1), u32(dataStart + (starts.get(image) ?? 0), image.data.length)]),
    );
    const inMeta = Buffer.concat([u16(gridId, 1, 0, 1), u32(0, grid.length)]);
    return fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, u16(gridId)),
      fullBox('iloc', 1, 0, u8(0x44, 0), u16(coded.length + 1), ...inFile, inMeta),
      fullBox('iinf', 0, 0, u16(coded.length + 1), ...entries, entry(gridId, 'grid', false)),
      fullBox('iref', 0, 0, ...references),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox('ipma', 0, 0, u32(associations.length), ...associations),
      ),
      box('idat', grid),
    );
  };
  const type = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const dataStart = type.length + metaWith(0).length + 8;
  return Buffer.concat([type, metaWith(dataStart), box('mdat', ...stored.map(({ data }) => data))]);
}
