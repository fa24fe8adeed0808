import sharp from 'sharp';
import { expect, test } from 'vitest';
import './codec.ts';
import { halves } from './testing/photo-samples.ts';

test('decoders of other image formats are blocked', async () => {
  const others = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    await halves(9, 9).gif().toBuffer(),
    await halves(9, 9).tiff().toBuffer(),
  ];
  for (const bytes of others) await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported');
  expect(await sharp(await halves(9, 8).png().toBuffer()).metadata()).toMatchObject({ width: 9, height: 8 });
});
