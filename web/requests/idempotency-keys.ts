import * as z from 'zod/mini';
import { Problem } from '#contract/platform/client.ts';
import { tryStorage } from '../ui/browser-storage.ts';
import { randomHex } from './random-hex.ts';

const StoredKey = z.object({
  /** The value of the `Idempotency-Key` header. */
  key: z.string(),
  /** The serialised request body. Another body needs another key. */
  content: z.string(),
  /** Time of the first attempt, ISO 8601 in UTC. */
  startedAt: z.string(),
});
type StoredKey = z.infer<typeof StoredKey>;

/** The values of a request that stay the same in every retry. */
export interface KeyedRequest {
  idempotencyKey: string;
  startedAt: Date;
}

type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/**
 * Creates a store of idempotency keys. It holds them in memory.
 * @param storage keeps the keys over a reload as well; may throw
 */
export function createIdempotencyKeys(storage?: () => KeyStorage) {
  const keys = new Map<string, StoredKey>();
  const withStorage = <Result>(name: string, action: (storage: KeyStorage, key: string) => Result) =>
    tryStorage(() => (storage === undefined ? null : action(storage(), `coomercioAttempt:${name}`)));

  function keyFor(name: string, content: string): StoredKey {
    const stored =
      keys.get(name) ??
      withStorage(name, (storage, key) => StoredKey.parse(JSON.parse(storage.getItem(key) ?? 'null')));
    if (stored?.content === content) return stored;
    const created = { key: randomHex(), content, startedAt: new Date().toISOString() };
    keys.set(name, created);
    withStorage(name, (storage, key) => storage.setItem(key, JSON.stringify(created)));
    return created;
  }

  /** Discards a key: the same content is a new operation from now on. */
  function discard(name: string): void {
    keys.delete(name);
    withStorage(name, (storage, key) => storage.removeItem(key));
  }

  /**
   * Sends a request under an idempotency key. While no response has arrived, a call with the same name and content
   * sends the same key, so the server recognises the retry. A response discards the key.
   * @param name identifies the operation, its user and its object
   * @throws the error of `request`; the key is kept
   */
  async function send<Answer>(
    name: string,
    content: unknown,
    request: (keyed: KeyedRequest) => Promise<Answer>,
  ): Promise<Answer> {
    const { key, startedAt } = keyFor(name, JSON.stringify(content));
    try {
      const answer = await request({ idempotencyKey: key, startedAt: new Date(startedAt) });
      discard(name);
      return answer;
    } catch (error) {
      if (error instanceof Problem && error.code === 'idempotency_key_reused') discard(name);
      throw error;
    }
  }

  return { send, discard };
}
