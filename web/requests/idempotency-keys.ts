import * as z from 'zod/mini';
import { Problem } from '#contract/platform/client.ts';
import { tryStorage } from '../ui/browser-storage.ts';
import { randomHex } from './random-hex.ts';

const Attempt = z.object({
  /** The user, the call and its path. */
  operation: z.string(),
  /** The serialized input. Another input needs another key. */
  content: z.string(),
  /** The value of the `Idempotency-Key` header. */
  key: z.string(),
  /** Time of the first attempt, ISO 8601 in UTC. */
  startedAt: z.string(),
});
type Attempt = z.infer<typeof Attempt>;

const STORAGE_KEY = 'coomercioAttempts';

/** The most attempts that are remembered. The oldest is dropped. */
const MAXIMUM_ATTEMPTS = 50;

/** The values of a request that stay the same in every retry. */
export interface KeyedRequest {
  idempotencyKey: string;
  startedAt: Date;
}

type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/**
 * Creates a store of idempotency keys.
 * @param storage keeps the keys over a reload; may throw, which keeps them in memory
 */
export function createIdempotencyKeys(storage: () => KeyStorage) {
  let inMemory: Attempt[] = [];

  const read = (): Attempt[] =>
    tryStorage(() => z.array(Attempt).parse(JSON.parse(storage().getItem(STORAGE_KEY) ?? ''))) ?? inMemory;

  function write(attempts: Attempt[]): void {
    const isStored = tryStorage(() => {
      if (attempts.length === 0) storage().removeItem(STORAGE_KEY);
      else storage().setItem(STORAGE_KEY, JSON.stringify(attempts));
      return true;
    });
    inMemory = isStored === true ? [] : attempts;
  }

  function attemptFor(operation: string, content: string): Attempt {
    const attempts = read();
    const known = attempts.find((each) => each.operation === operation && each.content === content);
    if (known !== undefined) return known;
    const created = { operation, content, key: randomHex(), startedAt: new Date().toISOString() };
    write([...attempts, created].slice(-MAXIMUM_ATTEMPTS));
    return created;
  }

  /** Discards the keys of an operation: the same content is a new one from now on. @param key left out: all of them */
  function discard(operation: string, key?: string): void {
    write(read().filter((each) => each.operation !== operation || (key ?? each.key) !== each.key));
  }

  /**
   * Sends a request under an idempotency key. While no response has arrived, a call with the same operation and content
   * sends the same key, so the server recognises the retry. A response discards the key.
   * @param operation identifies the user, the call and its object
   * @throws the error of `request`; the key is kept
   */
  async function send<Answer>(
    operation: string,
    content: unknown,
    request: (keyed: KeyedRequest) => Promise<Answer>,
  ): Promise<Answer> {
    const { key, startedAt } = attemptFor(operation, JSON.stringify(content));
    try {
      const answer = await request({ idempotencyKey: key, startedAt: new Date(startedAt) });
      discard(operation, key);
      return answer;
    } catch (error) {
      if (error instanceof Problem && error.code === 'idempotency_key_reused') discard(operation, key);
      throw error;
    }
  }

  return { send, discard };
}

/** The keys of this tab. */
export const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);
