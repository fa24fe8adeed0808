import { expect, test } from 'vitest';
import { findScans } from './image-headers.ts';
import { withScans } from './testing/hostile-samples.ts';
import { halves } from './testing/photo-samples.ts';

test('counts the scans of a JPEG up to a limit', async () => {
  expect(findScans(await halves(400, 300).jpeg().toBuffer(), 100).scans).toBe(1);
  const progressive = await halves(400, 300).jpeg({ progressive: true }).toBuffer();
  const { scans } = findScans(progressive, 100);
  expect(scans).toBeGreaterThan(5);
  expect(findScans(withScans(progressive, 50), 100).scans).toBe(50);
  expect(findScans(withScans(progressive, 700), 100).scans).toBe(101);
  expect(findScans(progressive.subarray(0, 200), 100).scans).toBeLessThanOrEqual(scans);
});

test('does not count scan markers inside segments, in coded data or after the end marker', async () => {
  const jpeg = await halves(400, 300).jpeg().toBuffer();
  const comment = Buffer.from([0xff, 0xfe, 0, 10, 0xff, 0xda, 0, 2, 0xff, 0xda, 0, 2]);
  const scan = Buffer.from([0xff, 0xda, 0, 2]);
  expect(findScans(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), scan]), 100).scans).toBe(1);
});

/** Wraps bytes and counts how many of them are read. */
function countReads(bytes: Uint8Array): { bytes: Uint8Array; reads: () => number } {
  let reads = 0;
  const indexOf = (value: number, from = 0): number => {
    const found = bytes.indexOf(value, from);
    reads += (found === -1 ? bytes.length : found + 1) - from;
    return found;
  };
  return {
    bytes: new Proxy(bytes, {
      get: (_, property) => {
        if (property === 'indexOf') return indexOf;
        if (!/^\d+$/.test(String(property))) throw new Error(`Reads by ${String(property)} are not counted.`);
        reads += 1;
        return bytes[Number(property)];
      },
    }),
    reads: () => reads,
  };
}

test.for([
  ['fill bytes', [0xff]],
  ['stuffed bytes', [0xff, 0x00]],
  ['restart markers', [0xff, 0xd0]],
  ['empty segments', [0xff, 0xe0, 0, 2]],
  ['segments without a length', [0xff, 0xe0, 0, 0]],
  ['bytes without a marker', [0x00]],
] as const)('reads each byte of %s at most twice', ([, pattern]) => {
  const jpeg = Buffer.alloc(20_000, Buffer.from(pattern));
  jpeg.writeUInt16BE(0xffd8);
  const { bytes, reads } = countReads(jpeg);
  expect(findScans(bytes, 100).scans).toBe(0);
  expect(reads()).toBeGreaterThan(0);
  expect(reads()).toBeLessThanOrEqual(2 * jpeg.length);
});
