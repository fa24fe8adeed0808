import { expect, test } from 'vitest';
import {
  type CachedResponse,
  createResponseCache,
  MAXIMUM_CACHE_BYTES,
  toCachedJson,
} from './response-cache.ts';

const response = (text: string): CachedResponse => toCachedJson([text]);

/** Asks for `key` as often as is said. @returns how often it had to be created */
async function ask(
  cache: ReturnType<typeof createResponseCache>,
  key: string,
  times: number,
  created = response(key),
): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1) {
    await cache.getOrCreate(key, async () => {
      count += 1;
      return created;
    });
  }
  return count;
}

test('a response is cached from its second request on, also after a change', async () => {
  const cache = createResponseCache();
  cache.enable();
  expect(await ask(cache, 'first page', 1)).toBe(1);
  expect(cache.get('first page')).toBeUndefined();
  expect(await ask(cache, 'first page', 3)).toBe(1);
  expect(String(cache.get('first page')?.json)).toBe('["first page"]');
  cache.clear();
  expect(cache.get('first page')).toBeUndefined();
  expect(await ask(cache, 'first page', 3)).toBe(1);
});

test('nothing is cached while notifications may be missed', async () => {
  const cache = createResponseCache();
  expect(await ask(cache, 'first page', 3)).toBe(3);
  cache.enable();
  await ask(cache, 'first page', 2);
  cache.disable();
  expect(cache.get('first page')).toBeUndefined();
  expect(await ask(cache, 'first page', 2)).toBe(2);
  // A change of this process is known without a notification, others' are not.
  cache.clear();
  expect(await ask(cache, 'first page', 2)).toBe(2);
  cache.enable();
  expect(await ask(cache, 'first page', 2)).toBe(1);
});

test('a response read before a change is not cached after it', async () => {
  const cache = createResponseCache();
  cache.enable();
  await ask(cache, 'first page', 1);
  await cache.getOrCreate('first page', async () => {
    cache.clear();
    return response('old');
  });
  expect(cache.get('first page')).toBeUndefined();
});

test('the memory limit holds for long and short responses; the least recently used are evicted', async () => {
  const cache = createResponseCache();
  cache.enable();
  const page = response('x'.repeat(256 * 1024));
  for (let key = 0; key < 300; key += 1) await ask(cache, `page ${key}`, 2, page);
  const full = cache.size();
  expect(full.bytes).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
  expect(full.entries).toBeGreaterThan(100);
  expect(full.entries * page.json.byteLength).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
  expect(cache.get('page 0')).toBeUndefined();
  expect(cache.get('page 299')).toBeDefined();

  const short = response('');
  for (let key = 0; key < 100_000; key += 1) await ask(cache, `short ${key}`, 2, short);
  expect(cache.size().bytes).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
});

test('the bytes of a response have their own buffer', () => {
  const { json } = response('short');
  expect(json.buffer.byteLength).toBe(json.byteLength);
});
