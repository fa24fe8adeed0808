import type { Client } from 'pg';
import { processorTime } from './measure.ts';
import { record } from './recorded-response.ts';
import { browserHeaders, type Server } from './targets.ts';

/** Requests of each page, of which the first part warms up. */
const REQUESTS = 400;
const WARM_UP = 150;

/** The pages whose first rendering is measured. */
export type RenderedPage = 'home page' | 'category page' | 'search page' | 'laptop’s page';

/** Finds the newest laptop of a brand and the newest advertised one, which takes long among a million. */
const findShown = `
  select (select max(number) from laptops where brand = $1 and state = 'available') as brand,
         (select max(number) from laptops where advertised_at is not null and state = 'available') as advertised`;

/** Changes these laptops, and so what searches count: the pages that show them are rendered again. */
const changeShown = `
  update laptops set resale_price_cents = resale_price_cents + case when resale_price_cents % 2 = 1 then -1 else 1 end
   where number in ($1, $2)`;

/**
 * Measures pages that are not kept: other pages with each request, or a page that a change has removed. What the change costs
 * by itself is subtracted.
 * @param paths.laptops each of another laptop
 * @returns milliseconds of the server's processor time per page
 */
export async function measureFirstRenderings(
  { pid, origin }: Server,
  client: Client,
  paths: { brand: string; laptops: readonly string[] },
): Promise<Map<RenderedPage, number>> {
  const perCall = async (call: (index: number) => Promise<unknown>): Promise<number> => {
    let before = 0;
    for (let index = 0; index < REQUESTS; index += 1) {
      if (index === WARM_UP) before = processorTime(pid);
      await call(index);
    }
    return (processorTime(pid) - before) / (REQUESTS - WARM_UP);
  };
  const get = (path: string) => record(origin, path, browserHeaders);
  const { rows } = await client.query<{ brand: string; advertised: string }>(findShown, [paths.brand]);
  const [shown] = rows;
  if (shown === undefined) throw new Error('The catalogue is empty.');
  /** Resolves when the server has the notification of the change, which it gets before it answers this. */
  const change = async () => {
    await client.query(changeShown, [shown.brand, shown.advertised]);
    await get('/healthz');
  };
  const changing = await perCall(change);
  const changed = async (path: string) => {
    const together = await perCall(async () => {
      await change();
      await get(path);
    });
    return together - changing;
  };
  const laptop = await perCall((index) => get(paths.laptops[index % paths.laptops.length] ?? '/'));
  const search = await perCall((index) => get(`/laptops?brand=${paths.brand}&max_price=${400 + index}`));
  return new Map([
    ['home page', await changed('/')],
    ['category page', await changed(`/category/${paths.brand}`)],
    ['search page', search],
    ['laptop’s page', laptop],
  ]);
}
