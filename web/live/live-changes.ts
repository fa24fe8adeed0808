import type { LiveChange } from '#contract/platform/live.ts';
import { keepStreamOpen, type StreamEnvironment } from './keep-stream-open.ts';

export type LiveChanges = ReturnType<typeof createLiveChanges>;

/** Tells a page what has changed for the signed-in user. */
export function createLiveChanges(environment: StreamEnvironment) {
  const listeners = new Set<(change: LiveChange) => void>();
  const watchers = new Set<() => void>();
  let isOpen = false;
  let stopping: AbortController | null = null;

  function setOpen(next: boolean): void {
    if (next === isOpen) return;
    isOpen = next;
    for (const watcher of [...watchers]) watcher();
  }
  const stream = {
    onChange: (change: LiveChange) => {
      for (const listener of [...listeners]) listener(change);
    },
    onAlive: () => setOpen(true),
    onEnd: () => setOpen(false),
  };

  return {
    /** Calls back for each change, while there is a listener. @returns a function that unsubscribes */
    subscribe(listener: (change: LiveChange) => void): () => void {
      listeners.add(listener);
      if (stopping === null) {
        stopping = new AbortController();
        void keepStreamOpen(environment, stream, stopping.signal);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopping?.abort();
        stopping = null;
      };
    },
    /** Whether changes arrive. False before the stream is open, and when it is lost. */
    isOpen: () => isOpen,
    /** Calls back when {@link isOpen} has changed. @returns a function that unsubscribes */
    watchOpen(listener: () => void): () => void {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
}
