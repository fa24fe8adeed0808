import { expect, test } from 'vitest';
import { countScans } from './image-headers.ts';
import { withScans } from './testing/hostile-samples.ts';
import { halves } from './testing/photo-samples.ts';

test('counts the scans of a JPEG up to a limit', async () => {
  expect(countScans(await halves(400, 300).jpeg().toBuffer(), 100)).toBe(1);
  const progressive = await halves(400, 300).jpeg({ progressive: true }).toBuffer();
  const scans = countScans(progressive, 100);
  expect(scans).toBeGreaterThan(5);
  expect(countScans(withScans(progressive, 50), 100)).toBe(50);
  expect(countScans(withScans(progressive, 700), 100)).toBe(101);
  expect(countScans(progressive.subarray(0, 200), 100)).toBeLessThanOrEqual(scans);
});

test('does not count scan markers inside segments, in coded data or after the end marker', async () => {
  const jpeg = await halves(400, 300).jpeg().toBuffer();
  const comment = Buffer.from([0xff, 0xfe, 0, 10, 0xff, 0xda, 0, 2, 0xff, 0xda, 0, 2]);
  const scan = Buffer.from([0xff, 0xda, 0, 2]);
  expect(countScans(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), scan]), 100)).toBe(1);
});

test.for([
  ['fill bytes', [0xff]],
  ['stuffed bytes', [0xff, 0x00]],
  ['restart markers', [0xff, 0xd0]],
  ['empty segments', [0xff, 0xe0, 0, 2]],
  ['segments without a length', [0xff, 0xe0, 0, 0]],
] as const)('counts scans in time linear in %s', ([, pattern]) => {
  const time = (bytes: number): number => {
    const worst = Buffer.alloc(bytes, Buffer.from(pattern));
    worst.writeUInt16BE(0xffd8);
    const began = performance.now();
    countScans(worst, 100);
    return performance.now() - began;
  };
  time(100_000);
  // Ten times the bytes; quadratic work would take a hundred times as long.
  expect(time(4_000_000)).toBeLessThan(40 * Math.max(time(400_000), 0.5));
});
