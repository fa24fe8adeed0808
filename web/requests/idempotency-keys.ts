import * as z from 'zod/mini';
import { Problem } from '#contract/client.ts';

const Attempt = z.object({
  /** Sent as `Idempotency-Key` with every try. */
  key: z.string(),
  /** What is sent, serialised: other content is another act, and needs another key. */
  content: z.string(),
  /** When the first try began, ISO 8601 in UTC. */
  startedAt: z.string(),
});
type Attempt = z.infer<typeof Attempt>;

/** An act that may take several tries: its key, and when the first of them began. */
export interface Try {
  idempotencyKey: string;
  startedAt: Date;
}

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface Attempts {
  /**
   * Sends something that must happen once. After a try whose answer did not arrive, the next one with the same content
   * has the same key, so that the server can tell that it is a retry. Any answer ends the attempt.
   * @param name what is attempted, by whom and on what
   * @throws whatever `send` throws; the attempt then stays open
   */
  once<Answer>(name: string, content: unknown, send: (attempt: Try) => Promise<Answer>): Promise<Answer>;
  /** Ends an attempt: the same content is another act from here on. */
  end(name: string): void;
}

/** Not `crypto.randomUUID`, which browsers lack on plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * The open attempts of this page.
 * @param storage where they are kept beside this page's memory, so that they outlive a reload; may throw
 */
export function createAttempts(storage?: () => Place): Attempts {
  const open = new Map<string, Attempt>();
  const stored = <Result>(name: string, action: (place: Place, key: string) => Result): Result | null => {
    try {
      return storage === undefined ? null : action(storage(), `coomercioAttempt:${name}`);
    } catch {
      // Storage is forbidden or full, or holds something else: the memory of this page remains.
      return null;
    }
  };

  function begin(name: string, content: string): Attempt {
    const known =
      open.get(name) ?? stored(name, (place, key) => Attempt.parse(JSON.parse(place.getItem(key) ?? 'null')));
    if (known?.content === content) return known;
    const attempt = { key: newKey(), content, startedAt: new Date().toISOString() };
    open.set(name, attempt);
    stored(name, (place, key) => place.setItem(key, JSON.stringify(attempt)));
    return attempt;
  }

  function end(name: string): void {
    open.delete(name);
    stored(name, (place, key) => place.removeItem(key));
  }

  return {
    end,
    once: async (name, content, send) => {
      const { key, startedAt } = begin(name, JSON.stringify(content));
      try {
        const answer = await send({ idempotencyKey: key, startedAt: new Date(startedAt) });
        end(name);
        return answer;
      } catch (error) {
        if (error instanceof Problem && error.code === 'idempotency_key_reused') end(name);
        throw error;
      }
    },
  };
}
