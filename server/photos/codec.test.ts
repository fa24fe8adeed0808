import { expect, test } from 'vitest';
import { measure, Undecodable } from './codec.ts';
import { halves } from './photo-samples.ts';

test('decoders of other kinds never run, even if something asked for them', async () => {
  const others = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    await halves(9, 9).gif().toBuffer(),
    await halves(9, 9).tiff().toBuffer(),
  ];
  for (const bytes of others) await expect(measure(bytes)).rejects.toThrow(Undecodable);
  expect(await measure(await halves(9, 8).png().toBuffer())).toEqual({ width: 9, height: 8 });
});
