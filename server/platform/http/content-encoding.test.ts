import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { compressQuickly, compressWell } from './content-encoding.ts';

/** A page that repeats at its end what it shows 180 kB before. Of that, 4 kB are random. */
const shown = randomBytes(4_000).toString('hex');
const longPage = Buffer.from(shown + '<p>laptop</p>'.repeat(14_000) + shown);

test('Brotli finds at the end of a long page what its beginning has', async () => {
  const sizes = [compressQuickly(longPage, ['br']), await compressWell(longPage, 'br')].map(
    (compressed) => compressed?.bytes.byteLength ?? 0,
  );
  for (const size of sizes) expect(size).toBeLessThan(1.5 * 4_000);
});
