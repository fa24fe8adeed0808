import { describe, expect, test } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency-keys.ts';

const lost = new Problem({ status: 0, code: 'network', detail: 'The shop cannot be reached.' });
const forbidden = () => {
  throw new Error('forbidden');
};
const fails = (error: Error) => () => Promise.reject(error);

/** Sends a request that succeeds. @returns its key */
const keyOf = (idempotencyKeys: IdempotencyKeys, name: string, content: unknown) =>
  idempotencyKeys.send(name, content, async ({ idempotencyKey }) => idempotencyKey);

/** Sends a request whose response is lost. @returns its key */
async function loseResponse(idempotencyKeys: IdempotencyKeys, name: string, content: unknown) {
  const keys: string[] = [];
  await expect(
    idempotencyKeys.send(name, content, ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return Promise.reject(lost);
    }),
  ).rejects.toBe(lost);
  return keys[0];
}

describe('an idempotency key', () => {
  test('is kept until a response arrives; after that the same content gets a new key', async () => {
    const idempotencyKeys = createIdempotencyKeys(forbidden);
    const first = await loseResponse(idempotencyKeys, 'laptop', { name: 'Swift' });
    expect(await loseResponse(idempotencyKeys, 'laptop', { name: 'Swift' })).toBe(first);
    expect(await keyOf(idempotencyKeys, 'laptop', { name: 'Swift' })).toBe(first);
    expect(await keyOf(idempotencyKeys, 'laptop', { name: 'Swift' })).not.toBe(first);
  });

  test('is new for other content, for another name, and after idempotency_key_reused', async () => {
    const idempotencyKeys = createIdempotencyKeys(forbidden);
    const first = await loseResponse(idempotencyKeys, 'laptop', { name: 'Swift' });
    expect(await loseResponse(idempotencyKeys, 'report', { name: 'Swift' })).not.toBe(first);
    const second = await loseResponse(idempotencyKeys, 'laptop', { name: 'Swift 3' });
    expect(second).not.toBe(first);
    // Another request of the same call, such as for another seller, does not lose the first one's key.
    expect(await loseResponse(idempotencyKeys, 'laptop', { name: 'Swift' })).toBe(first);
    const reused = new Problem({ status: 422, code: 'idempotency_key_reused', detail: 'Another request.' });
    await expect(idempotencyKeys.send('laptop', { name: 'Swift 3' }, fails(reused))).rejects.toBe(reused);
    expect(await keyOf(idempotencyKeys, 'laptop', { name: 'Swift 3' })).not.toBe(second);
  });

  test('outlives a reload in storage, with the time of the first attempt', async () => {
    const kept = new Map<string, string>();
    const storage = () => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
    const first = await loseResponse(createIdempotencyKeys(storage), 'laptop', 'content');
    const startedAt: Date[] = [];
    const key = await createIdempotencyKeys(storage).send('laptop', 'content', async (request) => {
      startedAt.push(request.startedAt);
      return request.idempotencyKey;
    });
    expect(key).toBe(first);
    expect(startedAt[0]?.getTime()).toBeLessThanOrEqual(Date.now());
    expect(kept.size).toBe(0);
  });

  test('is kept in memory when storage is forbidden', async () => {
    const idempotencyKeys = createIdempotencyKeys(forbidden);
    const first = await loseResponse(idempotencyKeys, 'laptop', 'content');
    expect(await keyOf(idempotencyKeys, 'laptop', 'content')).toBe(first);
  });
});
