import { acerOfficeLaptops } from './laptops/acer-office.ts';
import { acerPerformanceLaptops } from './laptops/acer-performance.ts';
import { dellOfficeLaptops } from './laptops/dell-office.ts';
import { dellPerformanceLaptops } from './laptops/dell-performance.ts';
import { hpOfficeLaptops } from './laptops/hp-office.ts';
import { hpPerformanceLaptops } from './laptops/hp-performance.ts';
import type { DemoLaptop, LaptopOfBrand } from './laptops/laptop.ts';

function secondsOfDay(time: DemoLaptop['posted'][1]): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

const secondsAgo = ({ posted: [daysAgo, time] }: DemoLaptop) => daysAgo * 86_400 - secondsOfDay(time);

const withBrand = (brand: DemoLaptop['brand'], laptops: readonly LaptopOfBrand[]) =>
  laptops.map((laptop): DemoLaptop => ({ ...laptop, brand }));

/** The laptops of the demo shop, oldest first. */
export const demoLaptops: readonly DemoLaptop[] = [
  ...withBrand('HP', [...hpOfficeLaptops, ...hpPerformanceLaptops]),
  ...withBrand('Dell', [...dellOfficeLaptops, ...dellPerformanceLaptops]),
  ...withBrand('Acer', [...acerOfficeLaptops, ...acerPerformanceLaptops]),
].sort((one, other) => secondsAgo(other) - secondsAgo(one));

/**
 * Returns when a laptop was listed, in the en-US format of a browser's `toLocaleString`.
 * @param now when the demo data are created
 */
export function postedTime({ posted: [daysAgo, time] }: DemoLaptop, now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  day.setSeconds(secondsOfDay(time));
  return day.toLocaleString('en-US');
}
