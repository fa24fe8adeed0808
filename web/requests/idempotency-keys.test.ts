import { describe, expect, test } from 'vitest';
import { Problem } from '#contract/client.ts';
import { createAttempts } from './idempotency-keys.ts';

const lost = new Problem({ status: 0, code: 'network', detail: 'The shop cannot be reached.' });
const fails = (error: Error) => () => Promise.reject(error);

/** A try that succeeds. @returns its key */
const keyOf = (attempts: ReturnType<typeof createAttempts>, name: string, content: unknown) =>
  attempts.once(name, content, async ({ idempotencyKey }) => idempotencyKey);

/** A try whose answer is lost. @returns its key */
async function loseAnswer(attempts: ReturnType<typeof createAttempts>, name: string, content: unknown) {
  const keys: string[] = [];
  await expect(
    attempts.once(name, content, ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return Promise.reject(lost);
    }),
  ).rejects.toBe(lost);
  return keys[0];
}

describe('an attempt', () => {
  test('keeps its key until an answer arrives; after that the same content has a new one', async () => {
    const attempts = createAttempts();
    const first = await loseAnswer(attempts, 'laptop', { name: 'Swift' });
    expect(await loseAnswer(attempts, 'laptop', { name: 'Swift' })).toBe(first);
    expect(await keyOf(attempts, 'laptop', { name: 'Swift' })).toBe(first);
    expect(await keyOf(attempts, 'laptop', { name: 'Swift' })).not.toBe(first);
  });

  test('has a new key for other content, for another name, and once the server knows the key otherwise', async () => {
    const attempts = createAttempts();
    const first = await loseAnswer(attempts, 'laptop', { name: 'Swift' });
    expect(await loseAnswer(attempts, 'report', { name: 'Swift' })).not.toBe(first);
    const second = await loseAnswer(attempts, 'laptop', { name: 'Swift 3' });
    expect(second).not.toBe(first);
    const reused = new Problem({ status: 422, code: 'idempotency_key_reused', detail: 'Another request.' });
    await expect(attempts.once('laptop', { name: 'Swift 3' }, fails(reused))).rejects.toBe(reused);
    expect(await keyOf(attempts, 'laptop', { name: 'Swift 3' })).not.toBe(second);
  });

  test('outlives a reload where there is a storage, with the moment of its first try', async () => {
    const kept = new Map<string, string>();
    const storage = () => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
    const first = await loseAnswer(createAttempts(storage), 'laptop', 'content');
    const startedAt: Date[] = [];
    const key = await createAttempts(storage).once('laptop', 'content', async (attempt) => {
      startedAt.push(attempt.startedAt);
      return attempt.idempotencyKey;
    });
    expect(key).toBe(first);
    expect(startedAt[0]?.getTime()).toBeLessThanOrEqual(Date.now());
    expect(kept.size).toBe(0);
  });

  test('works where storage is forbidden', async () => {
    const attempts = createAttempts(() => {
      throw new Error('forbidden');
    });
    const first = await loseAnswer(attempts, 'laptop', 'content');
    expect(await keyOf(attempts, 'laptop', 'content')).toBe(first);
  });
});
