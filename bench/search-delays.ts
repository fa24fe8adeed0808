import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { searchLaptops } from '#contract/listings/search.ts';

/** Changes a laptop as another process does. @returns the seconds until a search finds the change */
export async function measureChange(client: Client, origin: string): Promise<number> {
  const place = `Place ${randomBytes(8).toString('hex')}`;
  const changed = performance.now();
  await client.query(
    `update laptops set location = $1 where number = (select min(number) from laptops where state = 'available')`,
    [place],
  );
  for (;;) {
    const response = await fetch(`${origin}/api/laptops?${new URLSearchParams({ place, limit: '1' })}`);
    const { total } = searchLaptops.answer.parse(await response.json());
    if (total === 1) return (performance.now() - changed) / 1000;
  }
}

/** Waits until the search answers, which it does when its index is loaded. */
export async function waitForSearch(origin: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/api/laptops?limit=1`);
    await response.arrayBuffer();
    if (response.ok) return;
    await pause(20);
  }
}
