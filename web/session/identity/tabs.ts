import * as z from 'zod/mini';
import { parseJson } from '#contract/json.ts';

const Announcement = z.discriminatedUnion('kind', [
  /** The stored sign-in has changed. */
  z.object({ kind: z.literal('changed') }),
  /**
   * Signed out. `at`: time in milliseconds of this device's clock. `reason`: code of the error that ended the session, if
   * one did.
   */
  z.object({ kind: z.literal('signed-out'), at: z.number(), reason: z.nullable(z.string()) }),
]);
export type Announcement = z.infer<typeof Announcement>;

/** The shop's other tabs in this browser. */
export interface Tabs {
  announce(announcement: Announcement): void;
  /** Receives the announcements of other tabs. @returns stops that */
  listen(listener: (announcement: Announcement) => void): () => void;
}

/** Announces over a BroadcastChannel. It is open while there is a listener; other announcements are lost. */
export function createChannelTabs(open: () => BroadcastChannel): Tabs {
  let channel: BroadcastChannel | null = null;
  return {
    announce: (announcement) => channel?.postMessage(announcement),
    listen(listener) {
      const opened = open();
      channel = opened;
      opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const announcement = Announcement.safeParse(data);
        if (announcement.success) listener(announcement.data);
      });
      return () => {
        opened.close();
        if (channel === opened) channel = null;
      };
    },
  };
}

/** The fields of a `storage` event that are used here. */
interface StorageChange {
  readonly key: string | null;
  readonly newValue: string | null;
}

/**
 * Announces over `storage` events, for browsers without BroadcastChannel. Cleared storage counts as a change.
 * @param open may throw, as reading `window.localStorage` may; then nothing is announced
 */
export function createStorageTabs(
  key: string,
  open: () => Storage,
  onStorage: (listener: (change: StorageChange) => void) => () => void,
): Tabs {
  let count = 0;
  return {
    announce(announcement) {
      count += 1;
      try {
        // The count makes each value differ from the last: an equal value raises no event.
        open().setItem(key, JSON.stringify({ ...announcement, count }));
      } catch (error) {
        console.warn('The other tabs were not notified.', error);
      }
    },
    listen: (listener) =>
      onStorage((change) => {
        if (change.key === null) return listener({ kind: 'changed' });
        if (change.key !== key || change.newValue === null) return;
        const announcement = Announcement.safeParse(parseJson(change.newValue));
        if (announcement.success) listener(announcement.data);
      }),
  };
}
