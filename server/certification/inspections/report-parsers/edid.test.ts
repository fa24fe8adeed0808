import { expect, test } from 'vitest';
import { hexDump, sampleEdid } from '../testing/linux-tree.ts';
import { readEdid, readMainScreen } from './edid.ts';

interface Edid {
  centimetres?: readonly [wide: number, high: number];
  millimetres?: readonly [wide: number, high: number];
}

/** A block of a screen with 1920 × 1080 pixels, with a right checksum. */
function edid({ centimetres = [31, 17], millimetres: [wide, high] = [309, 174] }: Edid): Uint8Array {
  const block = sampleEdid();
  block.set(centimetres, 21);
  block.set([wide & 0xff, high & 0xff, ((wide >> 8) << 4) | (high >> 8)], 66);
  block[127] = 0;
  block[127] = (256 - (block.reduce((total, byte) => total + byte, 0) % 256)) % 256;
  return block;
}

const fourteen = { inches: 14, width: 1920, height: 1080 };

test.each<[string, Edid, number | undefined]>([
  ['rounded to the nearest', {}, 14],
  ['rounded up', { centimetres: [31, 18] }, 14],
  ['rounded down', { centimetres: [30, 17] }, 14],
  ['of another screen in the timing', { millimetres: [480, 270] }, undefined],
  ['of another screen in the header', { centimetres: [34, 19] }, undefined],
  ['of which one side differs', { centimetres: [31, 19] }, undefined],
  ['as proportions in the timing', { millimetres: [16, 9] }, undefined],
  ['as proportions in the header', { centimetres: [79, 0] }, undefined],
  ['that the header does not have', { centimetres: [0, 0] }, undefined],
  ['that the timing does not have', { millimetres: [0, 0] }, undefined],
  ['of no screen, as a projector has it', { centimetres: [0, 0], millimetres: [0, 0] }, undefined],
  ['of a screen that is no laptop’s', { centimetres: [53, 30], millimetres: [527, 296] }, undefined],
])('a size %s', (_name, sizes, inches) => {
  expect(readEdid(edid(sizes))?.inches).toBe(inches);
});

test('a wrong checksum makes the block unknown, an extension block after it is not read', () => {
  const block = edid({});
  expect(readEdid(Uint8Array.from([...block, ...new Uint8Array(128).fill(0xff)]))).toEqual(fourteen);
  block[20] = 1;
  expect(readEdid(block)).toBeNull();
});

test('without a first timing, and in another format such as DisplayID, the screen is unknown', () => {
  const block = edid({});
  block.set([0, 0], 54);
  block[127] = 0;
  block[127] = 256 - (block.reduce((total, byte) => total + byte, 0) % 256);
  expect(readEdid(block)).toBeNull();
  expect(readEdid(Uint8Array.from([0x20, 0x79, 0, 0, ...new Uint8Array(124)]))).toBeNull();
});

test('of several internal screens the largest is the main one; with one that is unknown nothing is known', () => {
  const small = hexDump(edid({ centimetres: [26, 14], millimetres: [256, 144] }));
  const main = hexDump(edid({}));
  expect(readMainScreen([small, '', main])).toEqual(fourteen);
  expect(readMainScreen([small, hexDump(edid({ millimetres: [480, 270] }))])).toBeNull();
  expect(readMainScreen(['no dump'])).toBeNull();
  expect(readMainScreen([''])).toBeNull();
});
