import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { photographedLaptops } from '../laptops.ts';

const machines = z
  .record(z.string(), z.object({ inches: z.number(), condition: z.string() }))
  .parse(JSON.parse(await readFile(new URL('machines.json', import.meta.url), 'utf8')));

test('machines.json describes every laptop that has photos of its own, with the same screen size and condition', () => {
  const expected = photographedLaptops.map(({ name, condition, configuration }) => [
    name,
    { inches: Number.parseFloat(configuration.Display), condition },
  ]);
  expect(machines).toEqual(Object.fromEntries(expected));
});
