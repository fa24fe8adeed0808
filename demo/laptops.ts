import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { conditions } from '#contract/listings/catalogue.ts';
import { demoSellers } from './accounts.ts';

// laptops.tsv has a laptop in each row, with tabs between the cells. Its first line names the columns. An empty cell is left out.

const Configuration = z.object({
  Processor: z.string(),
  Graphics: z.string(),
  Display: z.string(),
  Memory: z.string(),
  Storage: z.string(),
  Battery: z.string(),
  Operating: z.string(),
});

/** The captions of the close-ups of a laptop's flaws, by the view in the picture's file name, which `photos/machines.json` aims at. */
const Flaws = z.object({
  flaw: z.optional(z.string()),
  'flaw-2': z.optional(z.string()),
});

const Row = z.object({
  brand: z.enum(['HP', 'Dell', 'Acer']),
  /** Unique, because a run after an aborted one skips the laptops that are listed by name. */
  name: z.string(),
  seller: z.enum(demoSellers.map(({ email }) => email)),
  /** In the shop’s currency. */
  originalPrice: z.coerce.number(),
  /** In the shop’s currency. */
  resalePrice: z.coerce.number(),
  useTime: z.string(),
  condition: z.enum(conditions),
  /** When it was listed: days before the demo data are created, and the local time. */
  daysAgo: z.coerce.number(),
  time: z.string().check(z.regex(/^\d{1,2}:\d\d:\d\d$/)),
  advertised: z.optional(z.literal('yes')),
  /** Of a sold one: the laptop of the same seller whose photos it shows. */
  photosOf: z.optional(z.string()),
  /** The seller's remarks. They name no visible flaw that `flaws` does not show. */
  notes: z.string(),
});

const readLaptop = (cells: Readonly<Record<string, string>>) => ({
  ...Row.parse(cells),
  configuration: Configuration.parse(cells),
  flaws: Flaws.parse(cells),
});

/** A laptop of the demo shop. */
export type DemoLaptop = ReturnType<typeof readLaptop>;

const [names = [], ...rows] = readFileSync(new URL('laptops.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

const laptops = rows.map((cells) =>
  readLaptop(
    Object.fromEntries(cells.flatMap((cell, at) => (cell === '' ? [] : [[names[at] ?? '', cell] as const]))),
  ),
);

function secondsOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

const secondsAgo = ({ daysAgo, time }: DemoLaptop) => daysAgo * 86_400 - secondsOfDay(time);

/** The laptops of the demo shop, oldest first. */
export const demoLaptops: readonly DemoLaptop[] = laptops
  .filter(({ photosOf }) => photosOf === undefined)
  .sort((one, other) => secondsAgo(other) - secondsAgo(one));

/** A laptop that the demo shop has sold. @throws Error for another name */
export function soldLaptop(name: string): DemoLaptop {
  const sold = laptops.find((laptop) => laptop.name === name && laptop.photosOf !== undefined);
  if (sold === undefined) throw new Error(`No ${name} was sold.`);
  return sold;
}

/**
 * Returns when a laptop was listed, in the en-US format of a browser's `toLocaleString`.
 * @param now when the demo data are created
 */
export function postedTime({ daysAgo, time }: DemoLaptop, now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  day.setSeconds(secondsOfDay(time));
  return day.toLocaleString('en-US');
}
