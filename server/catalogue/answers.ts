/** An answer kept as the bytes that go out. */
export interface Kept {
  json: Buffer;
  /** Strong entity tag of the bytes. */
  etag: string;
  next: string | null;
}

const MAXIMUM_KEPT = 500;

/** How many keys that were asked for once are remembered. */
const MAXIMUM_ASKED = 2_000;

/**
 * Answers about the catalogue as bytes in memory. They are kept only while the shop hears of every change
 * (see `database/listen.ts`), and forgotten at each change: never by the clock.
 */
export interface Answers {
  /** The kept answer, if there is one now. */
  known(key: string): Kept | undefined;
  /**
   * The kept answer, or the one that `make` makes, which is kept if it is not the first time that it is asked for and
   * nothing changed meanwhile. Whoever walks through a long shelf once would only push out what many look at.
   */
  get(key: string, make: () => Promise<Kept>): Promise<Kept>;
  /** Something changed: forgets all. Whether anything is kept from here on stays as it was. */
  forget(): void;
  /** Changes are heard of from here on: forgets all, and keeps what is made next. */
  open(): void;
  /** Changes are not heard of: keeps nothing until the next `open`. */
  close(): void;
}

export function createAnswers(): Answers {
  const kept = new Map<string, Kept>();
  const asked = new Set<string>();
  let hearing = false;
  let generation = 0;

  function forget(): void {
    generation += 1;
    kept.clear();
  }

  return {
    known: (key) => kept.get(key),
    get: async (key, make) => {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const before = generation;
      const again = asked.has(key);
      if (!again) {
        if (asked.size >= MAXIMUM_ASKED) asked.clear();
        asked.add(key);
      }
      const made = await make();
      // What was read before a change must not be kept after it.
      if (again && hearing && before === generation) {
        if (kept.size >= MAXIMUM_KEPT) kept.clear();
        kept.set(key, made);
      }
      return made;
    },
    forget,
    open: () => {
      hearing = true;
      forget();
    },
    close: () => {
      hearing = false;
      forget();
    },
  };
}
