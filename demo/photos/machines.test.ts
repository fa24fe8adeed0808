import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { demoLaptops } from '../laptops.ts';

const Machine = z.object({
  like: z.string().optional(),
  inches: z.number().optional(),
  condition: z.string().optional(),
  views: z.string().array().default(['open', 'closed', 'keys']),
  flaws: z.record(z.string(), z.unknown()).default({}),
});
const folder = new URL('./', import.meta.url);
const machines = z
  .record(z.string(), Machine)
  .parse(JSON.parse(await readFile(new URL('machines.json', folder), 'utf8')));

test('machines.json describes every laptop, with the same screen size and condition', () => {
  const described = Object.entries(machines).map(([name, { like, inches, condition }]) => {
    const shared = like === undefined ? undefined : machines[like];
    return [name, { inches: inches ?? shared?.inches, condition: condition ?? shared?.condition }];
  });
  const expected = demoLaptops.map(({ name, condition, configuration }) => [
    name,
    { inches: Number.parseFloat(configuration.Display), condition },
  ]);
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
});

test('each picture is of a view or flaw that machines.json describes', async () => {
  const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const described = Object.entries(machines).flatMap(([name, { views, flaws }]) =>
    [...views, ...Object.keys(flaws)].map((view) => `${slugOf(name)}-${view}.webp`),
  );
  const files = (await readdir(folder)).filter((name) => name.endsWith('.webp'));
  expect(files.filter((file) => !described.includes(file))).toEqual([]);
});
