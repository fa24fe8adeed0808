/** A message that is shown for some seconds. */
export interface Toast {
  readonly id: number;
  readonly type: 'error' | 'success';
  readonly message: string;
}

/** Milliseconds until a toast disappears. */
const durations = { error: 4000, success: 2000 } as const;

/** The most toasts at once; the oldest are removed. */
const LIMIT = 20;

interface Timing {
  /** Milliseconds until the toast disappears, as of `since`. */
  left: number;
  /** When its time began to run, in milliseconds since the epoch; ignored while paused. */
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates the list of shown toasts, the latest first. */
export function createToastStore() {
  const listeners = new Set<() => void>();
  const timings = new Map<number, Timing>();
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  let isPaused = false;

  function set(next: readonly Toast[]) {
    toasts = next;
    for (const listener of listeners) listener();
  }

  function remove(id: number) {
    clearTimeout(timings.get(id)?.timer);
    timings.delete(id);
    set(toasts.filter((toast) => toast.id !== id));
  }

  function run(id: number, timing: Timing) {
    timing.since = Date.now();
    timing.timer = setTimeout(() => remove(id), timing.left);
  }

  function add(type: Toast['type'], message: string) {
    lastId += 1;
    const timing: Timing = { left: durations[type], since: 0, timer: undefined };
    timings.set(lastId, timing);
    if (!isPaused) run(lastId, timing);
    set([{ id: lastId, type, message }, ...toasts]);
    for (const { id } of toasts.slice(LIMIT)) remove(id);
  }

  return {
    read: () => toasts,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    error: (message: string) => add('error', message),
    success: (message: string) => add('success', message),
    remove,
    /** Stops the time of all toasts, or lets it go on. */
    pause: (next: boolean) => {
      if (next === isPaused) return;
      isPaused = next;
      for (const [id, timing] of timings) {
        if (!next) run(id, timing);
        else {
          clearTimeout(timing.timer);
          timing.left -= Date.now() - timing.since;
        }
      }
    },
  };
}
