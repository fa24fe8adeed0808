import { setTimeout as sleep } from 'node:timers/promises';
import type { Notifications } from '#server/platform/database/notification-listener.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { CATALOGUE_CHANNEL } from '../catalogue/steps.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { readLaptops, type SnapshotBound } from './read-laptops.ts';

/** Changes are also looked for without a notification, which a lost connection may have missed. */
const POLL_INTERVAL_MS = 15_000;

/** The pause after each read, so that many changes in a row cost few reads. */
const PAUSE_MS = 50;

const RETRY_MS = 1_000;

/** The most notifications that are held while the index is being updated. */
const MAXIMUM_NOTIFICATIONS = 200;

export type Follower = ReturnType<typeof followLaptops>;

/**
 * Loads an index and applies every later change of any process, usually within 100 ms.
 * @param handlers.onUpdate called when the index has been updated, with the notifications of the changes that it contains now
 * @param handlers.onError called when the database cannot be read; it is tried again every second
 */
export function followLaptops(
  { database, notifications: source }: { database: Database; notifications: Notifications },
  index: LaptopIndex,
  handlers: { onUpdate(notifications: readonly string[]): void; onError(error: unknown): void },
) {
  const loaded = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let since: SnapshotBound | null = null;
  const start = performance.now();
  let loadMs = 0;
  let equalAt = start;
  let wake = Promise.withResolvers<void>();
  let notifications: string[] = [];

  function note(notification: string): void {
    // More than these are as good as all of them.
    notifications = notifications.length < MAXIMUM_NOTIFICATIONS ? [...notifications, notification] : [''];
    wake.resolve();
  }

  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {
      // The follower stops.
    });

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>();
      const awaited = notifications;
      notifications = [];
      try {
        const begin = performance.now();
        since = await readLaptops(database, index, index.isWasteful() ? null : since);
        if (loadMs === 0) loadMs = performance.now() - start;
        equalAt = begin;
        loaded.resolve();
        if (awaited.length > 0) handlers.onUpdate(awaited);
        await pause(PAUSE_MS);
        await wake.promise;
      } catch (error) {
        notifications.unshift(...awaited);
        if (!stopping.signal.aborted) handlers.onError(error);
        await pause(RETRY_MS);
      }
    }
  }

  const unsubscribe = source.subscribe(CATALOGUE_CHANNEL, {
    // Changes may have been missed before, so an empty text stands for all of them.
    onConnect: () => note(''),
    onNotification: note,
  });
  const poll = setInterval(() => wake.resolve(), POLL_INTERVAL_MS);
  const running = run();
  return {
    /** Resolves when the index has been loaded. */
    loaded: loaded.promise,
    /** Milliseconds since the index was last equal to the database. */
    ageMs: () => performance.now() - equalAt,
    /** Milliseconds from the start until the index was loaded; 0 until then. */
    loadMs: () => loadMs,
    /** Resolves when the read under way has ended. */
    stop: async () => {
      stopping.abort();
      clearInterval(poll);
      wake.resolve();
      unsubscribe();
      await running;
    },
  };
}
