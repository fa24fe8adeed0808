import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { compress, encodingFor } from './content-encoding.ts';

/** A page that repeats at its end what it shows 180 kB before. Of that, 4 kB are random. */
const shown = randomBytes(4_000).toString('hex');
const longPage = Buffer.from(shown + '<p>laptop</p>'.repeat(14_000) + shown);

test('Brotli finds at the end of a long page what its beginning has', () => {
  expect(compress(longPage, 'br').byteLength).toBeLessThan(1.5 * 4_000);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['*', 'br'],
  ['*;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, br;q=0.0, *', null],
  ['identity', null],
  ['zstd', null],
  [`gzip, ${'x'.repeat(200)}`, null],
  [undefined, null],
])('for %j is sent %j', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});
