import * as z from 'zod/mini';
import { LiveChange } from '#contract/platform/live.ts';
import { keepStreamOpen, SILENCE_MS, type StreamEnvironment } from './keep-stream-open.ts';

/** Name of the lock that the tab with the stream holds, and of the channel on which it tells the other tabs. */
export const LIVE_NAME = 'coomercioLive';

/** Messages between tabs: a change; `open` whenever data arrives; `ended` when the stream ends. */
const TabMessage = z.union([LiveChange, z.object({ stream: z.enum(['open', 'ended']) })]);
type TabMessage = z.infer<typeof TabMessage>;

export interface LiveEnvironment extends StreamEnvironment {
  /** Opens the channel between the shop's tabs of this browser. */
  openChannel(onMessage: (message: unknown) => void): Pick<BroadcastChannel, 'postMessage' | 'close'>;
  /** Runs work while this tab is the only one that does; at once in browsers without locks. */
  asOnlyTab(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
}

export type LiveChanges = ReturnType<typeof createLiveChanges>;

/** Whether the stream is open, as far as this tab knows: it arrives here or was heard of within {@link SILENCE_MS}. */
function createOpenState() {
  const listeners = new Set<() => void>();
  let isOpen = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const set = (next: boolean) => {
    clearTimeout(silence);
    if (next) silence = setTimeout(() => set(false), SILENCE_MS);
    if (next === isOpen) return;
    isOpen = next;
    for (const listener of [...listeners]) listener();
  };
  return { listeners, set, get: () => isOpen };
}

/**
 * Tells all tabs of a browser what has changed for the signed-in user. One of them has the stream; when it closes, another
 * one opens it.
 */
export function createLiveChanges(environment: LiveEnvironment) {
  const listeners = new Set<(change: LiveChange) => void>();
  const open = createOpenState();
  let stop: (() => void) | null = null;

  const apply = (message: TabMessage) => {
    if ('stream' in message) return open.set(message.stream === 'open');
    for (const listener of [...listeners]) listener(message);
  };

  function start(): () => void {
    const stopping = new AbortController();
    const channel = environment.openChannel((message) => {
      const known = TabMessage.safeParse(message);
      if (known.success) apply(known.data);
    });
    const broadcast = (message: TabMessage) => {
      if (stopping.signal.aborted) return;
      apply(message);
      channel.postMessage(message);
    };
    const listener = {
      onChange: broadcast,
      onAlive: () => broadcast({ stream: 'open' }),
      onEnd: () => broadcast({ stream: 'ended' }),
    };
    void environment.asOnlyTab(() => keepStreamOpen(environment, listener, stopping.signal), stopping.signal);
    return () => {
      stopping.abort();
      channel.close();
      open.set(false);
    };
  }

  return {
    /** Calls back for each change, while there is a listener. @returns a function that unsubscribes */
    subscribe(listener: (change: LiveChange) => void): () => void {
      listeners.add(listener);
      stop ??= start();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
    /** Whether changes arrive. False before the stream is open, and when it is lost. */
    isOpen: open.get,
    /** Calls back when {@link isOpen} has changed. @returns a function that unsubscribes */
    watchOpen(listener: () => void): () => void {
      open.listeners.add(listener);
      return () => open.listeners.delete(listener);
    },
  };
}
