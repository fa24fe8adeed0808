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

/** Creates the list of shown toasts, the latest first. */
export function createToastStore() {
  const listeners = new Set<() => void>();
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  let isPaused = false;

  function set(next: readonly Toast[]) {
    toasts = next;
    for (const listener of listeners) listener();
  }

  function remove(id: number) {
    clearTimeout(timers.get(id));
    timers.delete(id);
    set(toasts.filter((toast) => toast.id !== id));
  }

  function run({ id, type }: Toast) {
    timers.set(
      id,
      setTimeout(() => remove(id), durations[type]),
    );
  }

  function add(type: Toast['type'], message: string) {
    lastId += 1;
    const added = { id: lastId, type, message };
    if (!isPaused) run(added);
    set([added, ...toasts]);
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
    /** Stops the time of all toasts, or begins it anew. */
    pause: (next: boolean) => {
      if (next === isPaused) return;
      isPaused = next;
      for (const toast of toasts) {
        if (next) clearTimeout(timers.get(toast.id));
        else run(toast);
      }
    },
  };
}
