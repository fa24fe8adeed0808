import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type CacheDependencies, unchanging } from './cache-dependencies.ts';
import { type CachedResponse, toCachedJson } from './cached-response.ts';
import { type Created, createResponseCache, MAXIMUM_CACHE_BYTES } from './response-cache.ts';

const response = (text: string): CachedResponse => toCachedJson([text]);
const received = () => Promise.resolve();

function enabledCache() {
  const cache = createResponseCache();
  cache.enable(received);
  return cache;
}

const showing = (...tags: string[]): CacheDependencies => ({ tags, until: null });

/** Asks for `key` as often as is said. @returns how often it had to be created */
async function ask(
  cache: ReturnType<typeof createResponseCache>,
  key: string,
  times: number,
  created: Created = { response: response(key), dependencies: unchanging },
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

describe('a response', () => {
  test('is cached from its second request on, also after a change', async () => {
    const cache = enabledCache();
    expect(await ask(cache, 'first page', 1)).toBe(1);
    expect(cache.get('first page')).toBeUndefined();
    expect(await ask(cache, 'first page', 3)).toBe(1);
    expect(String(cache.get('first page')?.response.body)).toBe('["first page"]');
    cache.forgetNotified(['']);
    expect(cache.get('first page')).toBeUndefined();
    expect(await ask(cache, 'first page', 3)).toBe(1);
  });

  test('is not cached while notifications may be missed', async () => {
    const cache = createResponseCache();
    expect(await ask(cache, 'first page', 3)).toBe(3);
    cache.enable(received);
    await ask(cache, 'first page', 2);
    cache.disable();
    expect(cache.get('first page')).toBeUndefined();
    expect(await ask(cache, 'first page', 2)).toBe(2);
    cache.forgetNotified(['']);
    expect(await ask(cache, 'first page', 2)).toBe(2);
    cache.enable(received);
    expect(await ask(cache, 'first page', 2)).toBe(1);
  });

  test('is not cached when it does not say what it shows, or has a very long key', async () => {
    const cache = enabledCache();
    expect(await ask(cache, 'a page', 3, { response: response('a page'), dependencies: null })).toBe(3);
    expect(await ask(cache, 'x'.repeat(10_000), 3)).toBe(3);
  });

  test('is removed by a change of what it shows, and by no other', async () => {
    const cache = enabledCache();
    await ask(cache, 'one', 2, { response: response('one'), dependencies: showing('laptop 1', 'brand HP') });
    await ask(cache, 'two', 2, { response: response('two'), dependencies: showing('laptop 2', 'brand HP') });
    cache.forgetNotified(['["laptop 2","laptop 3"]']);
    expect(cache.get('one')).toBeDefined();
    expect(cache.get('two')).toBeUndefined();
    cache.forgetNotified(['["brand HP"]']);
    expect(cache.get('one')).toBeUndefined();
  });

  test('is removed by a notification that cannot be read', async () => {
    for (const text of ['', 'laptop 2', '{"laptop":2}', '[2]']) {
      const cache = enabledCache();
      await ask(cache, 'one', 2, { response: response('one'), dependencies: showing('laptop 1') });
      cache.forgetNotified([text]);
      expect(cache.get('one'), text).toBeUndefined();
    }
  });

  test('becomes stale at the time that it says', async () => {
    const cache = enabledCache();
    const until = Date.now() + 60_000;
    await ask(cache, 'now', 2, {
      response: response('now'),
      dependencies: { tags: [], until: Date.now() - 1 },
    });
    await ask(cache, 'later', 2, { response: response('later'), dependencies: { tags: [], until } });
    expect(cache.get('now')).toBeUndefined();
    expect(cache.get('later')).toBeDefined();
  });
});

describe('a response read before a change', () => {
  const dependencies = showing('laptop 1');

  async function isCachedAfter(notification: string): Promise<boolean> {
    const cache = enabledCache();
    await ask(cache, 'page', 1);
    await cache.getOrCreate('page', async () => {
      cache.forgetNotified([notification]);
      return { response: response('old'), dependencies };
    });
    return cache.get('page') !== undefined;
  }

  test('is not cached after it', async () => {
    expect(await isCachedAfter('["laptop 1"]')).toBe(false);
    expect(await isCachedAfter('')).toBe(false);
  });

  test('is cached when it shows nothing of what has changed', async () => {
    expect(await isCachedAfter('["laptop 2"]')).toBe(true);
  });

  test('is not cached after more changes than are remembered', async () => {
    const cache = enabledCache();
    await ask(cache, 'page', 1);
    await cache.getOrCreate('page', async () => {
      cache.forgetNotified(['["laptop 1"]', ...Array<string>(10_000).fill('["laptop 2"]')]);
      return { response: response('old'), dependencies };
    });
    expect(cache.get('page')).toBeUndefined();
  });

  test('is not given to a request that came after it', async () => {
    const cache = enabledCache();
    const read = Promise.withResolvers<Created>();
    const before = cache.getOrCreate('page', () => read.promise);
    const together = cache.getOrCreate('page', () => Promise.reject(new Error('created twice')));
    cache.forgetNotified(['["laptop 1"]']);
    const after = cache.getOrCreate('page', async () => ({ response: response('new'), dependencies }));
    read.resolve({ response: response('old'), dependencies });
    expect(String((await before).response.body)).toBe('["old"]');
    expect(String((await together).response.body)).toBe('["old"]');
    expect(String((await after).response.body)).toBe('["new"]');
  });
});

describe('compression', () => {
  const text = 'A laptop, as good as new. '.repeat(500);

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('%s is made once for a cached response', async (encoding, decompress) => {
    const cache = enabledCache();
    await ask(cache, 'page', 2, { response: response(text), dependencies: unchanging });
    const first = cache.encode('page', cached(cache), encoding);
    expect(String(decompress(first ?? Buffer.alloc(0)))).toBe(JSON.stringify([text]));
    expect(cache.encode('page', cached(cache), encoding)).toBe(first);
    expect(cache.size().bytes).toBeGreaterThan(text.length + (first?.byteLength ?? 0));
  });

  const cached = (cache: ReturnType<typeof createResponseCache>) =>
    cache.get('page')?.response ?? response('missing');

  test('of a response that was removed meanwhile is not kept', async () => {
    const cache = enabledCache();
    await ask(cache, 'page', 2, { response: response(text), dependencies: showing('laptop 1') });
    const removed = cached(cache);
    cache.forgetNotified(['["laptop 1"]']);
    expect(cache.encode('page', removed, 'br')).not.toBeNull();
    expect(cache.size()).toEqual({ entries: 0, bytes: 0 });
  });

  test('is left out where it makes a response longer', async () => {
    const cache = enabledCache();
    expect(cache.encode('short', response(''), 'br')).toBeNull();
  });
});

test('the memory limit holds for long and short responses; the least recently used are evicted', async () => {
  const cache = enabledCache();
  const page = response('x'.repeat(256 * 1024));
  const dependencies = showing(...Array.from({ length: 24 }, (_, at) => `laptop ${at}`));
  for (let key = 0; key < 300; key += 1) await ask(cache, `page ${key}`, 2, { response: page, dependencies });
  const full = cache.size();
  expect(full.bytes).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
  expect(full.bytes).toBeGreaterThan(0.9 * MAXIMUM_CACHE_BYTES);
  expect(full.entries * page.body.byteLength).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
  expect(cache.get('page 0')).toBeUndefined();
  expect(cache.get('page 299')).toBeDefined();

  const short = response('');
  for (let key = 0; key < 100_000; key += 1) {
    await ask(cache, `short ${key}`, 2, { response: short, dependencies: unchanging });
  }
  expect(cache.size().bytes).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
});

test('responses requested once, however many, leave the cached ones in place', async () => {
  const cache = enabledCache();
  await ask(cache, 'popular', 2);
  const before = cache.size();
  for (let key = 0; key < 10_000; key += 1) await ask(cache, `search ${key}`, 1);
  expect(cache.size()).toEqual(before);
});

test('the bytes of a response have their own buffer', () => {
  const { body } = response('short');
  expect(body.buffer.byteLength).toBe(body.byteLength);
});
