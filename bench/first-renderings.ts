import type { Client } from 'pg';
import { processorTime } from './measure.ts';
import { record } from './recorded-response.ts';
import { browserHeaders, type Server } from './targets.ts';

/** Requests of each page, of which the first part warms up. */
const REQUESTS = 400;
const WARM_UP = 150;

/** The pages whose first rendering is measured. */
export type RenderedPage = 'home page' | 'category page' | 'search page' | 'laptop’s page';

/** Changes the newest laptop of a brand, the newest advertised one, and what searches count: the pages that show them are rendered again. */
const changeShown = `
  update laptops set resale_price_cents = resale_price_cents + case when resale_price_cents % 2 = 1 then -1 else 1 end
   where number in ((select max(number) from laptops where brand = $1 and state = 'available'),
                    (select max(number) from laptops where advertised_at is not null and state = 'available'))`;

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
  /** Resolves when the server has the notification of the change, which it gets before it answers this. */
  const change = async () => {
    await client.query(changeShown, [paths.brand]);
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
