import { setTimeout as pause } from 'node:timers/promises';
import { wish } from '#contract/listings/wishlist.ts';
import type { Caller } from '../callers.ts';

/** A request that is repeated several times a second, and how it was answered. */
export interface Prober {
  /** Responses that are neither a success nor a 503 with Retry-After, and requests without a response. */
  wrong: string[];
  /** Successful requests. */
  done(): number;
  /** 503 with Retry-After. */
  refused(): number;
  /** When the first request succeeded that began after `time`; both in milliseconds, as `Date.now()` */
  firstDoneAfter(time: number): number | null;
  stop(): Promise<void>;
}

const INTERVAL_MS = 100;

/** No request may wait longer, in milliseconds. */
const LIMIT_MS = 20_000;

/** Repeats a request without retries of its own: each is answered by the shop itself. */
export function startProber(send: (signal: AbortSignal) => Promise<Response>): Prober {
  const wrong: string[] = [];
  const successes: { begun: number; ended: number }[] = [];
  let refused = 0;
  let isRunning = true;
  const running = (async () => {
    while (isRunning) {
      const begun = Date.now();
      try {
        const response = await send(AbortSignal.timeout(LIMIT_MS));
        await response.text();
        if (response.ok) successes.push({ begun, ended: Date.now() });
        else if (response.status === 503 && response.headers.has('retry-after')) refused += 1;
        else wrong.push(`${response.url}: ${response.status} after ${Date.now() - begun} ms`);
      } catch (error) {
        wrong.push(`no response after ${Date.now() - begun} ms: ${String(error)}`);
      }
      await pause(INTERVAL_MS);
    }
  })();
  return {
    wrong,
    done: () => successes.length,
    refused: () => refused,
    firstDoneAfter: (time) => successes.find(({ begun }) => begun > time)?.ended ?? null,
    stop: async () => {
      isRunning = false;
      await running;
    },
  };
}

/** Repeats a write: a wish with its idempotency key, which the second time is there already. */
export const probeWrites = (origin: string, buyer: Caller, laptopId: string): Prober =>
  startProber((signal) =>
    fetch(`${origin}/api${wish.path}`, {
      method: wish.method,
      headers: {
        authorization: `Bearer ${buyer.token()}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ productCode: laptopId }),
      signal,
    }),
  );

/** Repeats a read of a path in turn with others. */
export function probeReads(origin: string, paths: readonly string[]): Prober {
  let next = 0;
  return startProber((signal) => {
    const path = paths[next % paths.length] ?? '/';
    next += 1;
    return fetch(`${origin}${path}`, { signal });
  });
}
