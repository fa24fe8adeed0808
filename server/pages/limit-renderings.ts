import { ipPrefixes } from '#contract/ip-prefixes.ts';
import { Refusal } from '../http/refusal.ts';
import { type TimeBudget, unlimitedTime } from '../http/time-budget.ts';

/** What a rendering is charged, in milliseconds: pages take 4 to 12 ms of the thread. Their searches are charged apart. */
const RENDERING_MS = 10;

/** The renderings of an address at the same time. Together they block the thread for at most about 300 ms. */
const MAXIMUM_RENDERINGS = 30;

/** Runs a rendering that an address asked for. @throws Refusal when the address has used its time */
export type LimitRendering = <Result>(address: string, render: () => Promise<Result>) => Promise<Result>;

/**
 * Charges renderings to the time of their address. Each is charged the same, before it begins: its time cannot be measured, because
 * it waits for data while others run, and requests that arrive together would all be let in otherwise.
 */
export function createRenderingLimit(budget: TimeBudget): LimitRendering {
  if (budget === unlimitedTime) return (_address, render) => render();
  const running = new Map<string, number>();
  return async (address, render) => {
    budget.requireTime(address);
    // The largest range that may belong to one client.
    const owner = ipPrefixes(address).at(-1)?.prefix ?? address;
    const count = running.get(owner) ?? 0;
    if (count >= MAXIMUM_RENDERINGS) {
      throw new Refusal(
        'busy',
        'Many pages are being opened from your network right now. Please try again in a few seconds.',
      );
    }
    budget.charge(address, RENDERING_MS);
    running.set(owner, count + 1);
    try {
      return await render();
    } finally {
      const left = (running.get(owner) ?? 1) - 1;
      if (left === 0) running.delete(owner);
      else running.set(owner, left);
    }
  };
}
