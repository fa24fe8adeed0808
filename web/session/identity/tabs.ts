import * as z from 'zod/mini';
import { parseJson } from '#contract/json.ts';

const Announcement = z.discriminatedUnion('kind', [
  /** Somebody signed in, or the tokens or the profile are new: read what is stored. */
  z.object({ kind: z.literal('changed') }),
  /**
   * Signed out, `at` so many milliseconds of this device's clock; `reason` is the code of the error that ended
   * the session, if one did.
   */
  z.object({ kind: z.literal('signed-out'), at: z.number(), reason: z.nullable(z.string()) }),
]);
export type Announcement = z.infer<typeof Announcement>;

/** The other tabs of this shop in this browser. */
export interface Tabs {
  announce(announcement: Announcement): void;
  /** Hears what other tabs announce, never this one. @returns stops listening */
  listen(listener: (announcement: Announcement) => void): () => void;
}

/** Tabs over a BroadcastChannel, which is open while somebody listens; announcements at other times are lost. */
export function channelTabs(open: () => BroadcastChannel): Tabs {
  let channel: BroadcastChannel | null = null;
  return {
    announce: (announcement) => channel?.postMessage(announcement),
    listen(listener) {
      const opened = open();
      channel = opened;
      opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const heard = Announcement.safeParse(data);
        if (heard.success) listener(heard.data);
      });
      return () => {
        opened.close();
        if (channel === opened) channel = null;
      };
    },
  };
}

/** What of a `storage` event matters here. */
interface StorageChange {
  readonly key: string | null;
  readonly newValue: string | null;
}

/**
 * Tabs over `storage` events, for browsers without BroadcastChannel; also hears when stored data are cleared.
 * @param open may throw, as reading `window.localStorage` may; nothing is announced then
 */
export function storageTabs(
  key: string,
  open: () => Storage,
  onStorage: (listener: (change: StorageChange) => void) => () => void,
): Tabs {
  let count = 0;
  return {
    announce(announcement) {
      count += 1;
      try {
        // The count makes every value differ from the one before: equal values raise no event.
        open().setItem(key, JSON.stringify({ ...announcement, count }));
      } catch (error) {
        console.warn('The other tabs could not be told.', error);
      }
    },
    listen: (listener) =>
      onStorage((change) => {
        if (change.key === null) return listener({ kind: 'changed' });
        if (change.key !== key || change.newValue === null) return;
        const heard = Announcement.safeParse(parseJson(change.newValue));
        if (heard.success) listener(heard.data);
      }),
  };
}
