import { beforeAll, expect, test } from 'vitest';
import { readMeasurement } from '#contract/certification/inspections.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { thinkpad } from './testing/linux-tree.ts';
import { measureAs } from './testing/measure.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

/** Measures a new laptop with these serial numbers and charge cycles, one after the other. @returns the shown cycles */
async function shownCycles(measurements: readonly [serial: string, cycles: number][]): Promise<unknown[]> {
  const description = { Memory: '16 GB', Processor: 'Core i5-10310U' };
  const _id = await shop.laptop(seller, { description, condition: 'Good' });
  for (const [serial, cycles] of measurements) {
    await measureAs(shop, seller, _id, {
      ...thinkpad,
      '/sys/class/dmi/id/product_serial': serial,
      '/sys/class/power_supply/BAT0/cycle_count': `${cycles}\n`,
    });
  }
  const { batteryPoints: points } = await shop.visitor.call(readMeasurement, { params: { _id } });
  return points.map(({ battery }) => battery.cycles);
}

const placeholder = 'To Be Filled By O.E.M.';

test('has the measurements of the machine that was measured last, oldest first', async () => {
  await expect(
    shownCycles([
      ['PF3ABCDE', 100],
      ['PF9OTHER1', 7],
      [placeholder, 8],
      ['PF3ABCDE', 110],
    ]),
  ).resolves.toEqual([100, 110]);
});

test('has one measurement when the serial number is unknown, because the others may be of another machine', async () => {
  await expect(
    shownCycles([
      [placeholder, 100],
      [placeholder, 110],
    ]),
  ).resolves.toEqual([110]);
});

test('is empty while the listing does not count as measured', async () => {
  const _id = await shop.laptop(seller, { description: { Memory: '8 GB' } });
  await measureAs(shop, seller, _id, thinkpad);
  const { batteryPoints: points } = await shop.visitor.call(readMeasurement, { params: { _id } });
  expect(points).toEqual([]);
});
