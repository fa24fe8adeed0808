import { useSyncExternalStore } from 'react';
import type { Laptop } from '#contract/listings/laptop-schemas.ts';

/** What is stored of a laptop: enough for a link with a photo, and nothing that changes, such as its price. */
export type StoredLaptop = Pick<Laptop, '_id' | 'name' | 'image'>;

/** A list of laptops in the browser's storage. */
export interface StoredLaptops {
  /** The stored laptops. Empty on the server and during hydration. */
  use: () => readonly StoredLaptop[];
  /** Replaces the list by the returned one, cut to the maximum. */
  update: (change: (laptops: readonly StoredLaptop[]) => readonly StoredLaptop[]) => void;
}

interface StorageOptions {
  key: string;
  /** The maximum number of laptops. */
  maximum: number;
  /** Returns the storage. Browsers throw where it is forbidden. */
  storage: () => Storage;
}

const none: readonly StoredLaptop[] = [];

function isStoredLaptop(value: unknown): value is StoredLaptop {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['_id', 'name', 'image'].every((key) => typeof Reflect.get(value, key) === 'string')
  );
}

/** Creates a list of laptops in the browser's storage. */
export function createStoredLaptops({ key, maximum, storage }: StorageOptions): StoredLaptops {
  const listeners = new Set<() => void>();
  let laptops: readonly StoredLaptop[] | null = null;

  function read(): readonly StoredLaptop[] {
    try {
      const stored: unknown = JSON.parse(storage().getItem(key) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isStoredLaptop).slice(0, maximum) : none;
    } catch {
      // Storage is forbidden, so the list lasts until the page is closed; or the entry is not ours.
      return laptops ?? none;
    }
  }

  function notify() {
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function snapshot() {
    laptops ??= read();
    return laptops;
  }

  if (!import.meta.env.SSR) {
    // Another tab has changed the list, or a sign-out has removed it.
    addEventListener('storage', () => {
      laptops = read();
      notify();
    });
  }

  return {
    use: () => useSyncExternalStore(subscribe, snapshot, () => none),
    update: (change) => {
      laptops = change(read())
        .slice(0, maximum)
        .map(({ _id, name, image }) => ({ _id, name, image }));
      try {
        storage().setItem(key, JSON.stringify(laptops));
      } catch {
        // Storage is full or forbidden.
      }
      notify();
    },
  };
}
