import { LiveChange } from '#contract/live.ts';
import { keepStreamOpen, type StreamEnvironment } from './keep-stream-open.ts';

/** Name of the lock that the tab with the stream holds, and of the channel on which it tells the other tabs. */
export const LIVE_NAME = 'coomercioLive';

export interface LiveEnvironment extends StreamEnvironment {
  /** Opens the channel between the shop's tabs of this browser. */
  openChannel(onMessage: (message: unknown) => void): Pick<BroadcastChannel, 'postMessage' | 'close'>;
  /** Runs work while this tab is the only one that does; at once in browsers without locks. */
  asOnlyTab(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
}

export type LiveChanges = ReturnType<typeof createLiveChanges>;

/**
 * Tells all tabs of a browser what has changed for the signed-in user. One of them has the stream; when it closes, another
 * one opens it.
 */
export function createLiveChanges(environment: LiveEnvironment) {
  const listeners = new Set<(change: LiveChange) => void>();
  let stop: (() => void) | null = null;

  const tell = (change: LiveChange) => {
    for (const listener of [...listeners]) listener(change);
  };

  function start(): () => void {
    const stopping = new AbortController();
    const channel = environment.openChannel((message) => {
      const change = LiveChange.safeParse(message);
      if (change.success) tell(change.data);
    });
    const onChange = (change: LiveChange) => {
      tell(change);
      channel.postMessage(change);
    };
    void environment.asOnlyTab(() => keepStreamOpen(environment, onChange, stopping.signal), stopping.signal);
    return () => {
      stopping.abort();
      channel.close();
    };
  }

  return {
    /** Calls back for each change, while there is a listener. @returns stops that */
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
  };
}
