import { useSyncExternalStore } from 'react';
import type { Laptop } from '#contract/laptop-schemas.ts';

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

function parse(text: string | null, maximum: number): readonly StoredLaptop[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isStoredLaptop).slice(0, maximum) : none;
  } catch {
    return none;
  }
}

/** Creates a list of laptops in the browser's storage. Changes in other tabs are read with the next change in this one. */
export function createStoredLaptops({ key, maximum, storage }: StorageOptions): StoredLaptops {
  const listeners = new Set<() => void>();
  let laptops: readonly StoredLaptop[] | null = null;

  function read(): readonly StoredLaptop[] {
    try {
      return parse(storage().getItem(key), maximum);
    } catch {
      // Storage is forbidden: the list lasts until the page is closed.
      return laptops ?? none;
    }
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function snapshot() {
    laptops ??= read();
    return laptops;
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
      for (const listener of listeners) listener();
    },
  };
}
