import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { demoLaptops } from '../laptops.ts';

const machines = z
  .record(z.string(), z.object({ inches: z.number(), condition: z.string() }))
  .parse(JSON.parse(await readFile(new URL('machines.json', import.meta.url), 'utf8')));

test('machines.json describes every laptop of the demo shop with the same screen size and condition', () => {
  const expected = demoLaptops.map(({ name, condition, configuration }) => [
    name,
    { inches: Number.parseFloat(configuration.Display), condition },
  ]);
  expect(machines).toEqual(Object.fromEntries(expected));
});
