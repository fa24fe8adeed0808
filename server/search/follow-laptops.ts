import { setTimeout as sleep } from 'node:timers/promises';
import { listenForNotifications } from '../database/notification-listener.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { readLaptops, type SnapshotBound } from './read-laptops.ts';

/** Changes are also looked for without a notification, which a lost connection may have missed. */
const POLL_INTERVAL_MS = 15_000;

/** The pause after each read, so that many changes in a row cost few reads. */
const PAUSE_MS = 50;

const RETRY_MS = 1_000;

/** Keeps an index equal to the laptops for sale. */
export interface Follower {
  /** Resolves when the index has been loaded. */
  loaded: Promise<void>;
  /** Resolves when the read under way has ended. */
  stop(): Promise<void>;
}

/**
 * Loads an index and applies every later change of any process, usually within 100 ms.
 * @param onError called when the database cannot be read; it is tried again every second
 */
export function followLaptops(
  connectionString: string,
  index: LaptopIndex,
  onError: (error: unknown) => void,
): Follower {
  const loaded = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let since: SnapshotBound | null = null;
  let wake = Promise.withResolvers<void>();

  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {
      // The follower stops.
    });

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>();
      try {
        const isFirst = since === null;
        since = await readLaptops(connectionString, index, since);
        if (isFirst) index.trim();
        loaded.resolve();
        await pause(PAUSE_MS);
        await wake.promise;
      } catch (error) {
        if (!stopping.signal.aborted) onError(error);
        await pause(RETRY_MS);
      }
    }
  }

  const listener = listenForNotifications(connectionString, 'catalogue_changed', {
    onNotification: () => wake.resolve(),
    onDisconnect: () => undefined,
  });
  const poll = setInterval(() => wake.resolve(), POLL_INTERVAL_MS);
  const running = run();
  return {
    loaded: loaded.promise,
    stop: async () => {
      stopping.abort();
      clearInterval(poll);
      wake.resolve();
      await Promise.all([listener.stop(), running]);
    },
  };
}
