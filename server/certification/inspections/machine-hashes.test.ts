import { expect, test } from 'vitest';
import { hashIdentity } from './machine-hashes.ts';

const hashOf = (maker: string | null) =>
  hashIdentity(Buffer.alloc(32, 1), {
    maker,
    serial: 'C02XK0AAJGH5',
    boardSerial: null,
    driveSerials: [],
    tpmKey: null,
  }).machine;

test('a MacBook is the same machine under macOS, Linux and Windows, which name its maker differently', () => {
  expect(hashOf('Apple Inc.')).toBe(hashOf('Apple'));
  expect(hashOf('Apple Computer, Inc.')).toBe(hashOf('Apple'));
  expect(hashOf('Applied')).not.toBe(hashOf('Apple'));
  expect(hashOf('LENOVO')).not.toBe(hashOf(null));
});
