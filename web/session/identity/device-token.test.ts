import { expect, test, vi } from 'vitest';
import { createDeviceTokenSource } from './device-token.ts';

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

test('creates the token once and keeps it for later visits', () => {
  const local = storage();
  let made = 0;
  const create = () => `token${++made}`;
  const first = createDeviceTokenSource(() => local, create);
  expect([first(), first()]).toEqual(['token1', 'token1']);
  expect(createDeviceTokenSource(() => local, create)()).toBe('token1');
});

test('keeps the token in memory when storage is forbidden', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let made = 0;
  const token = createDeviceTokenSource(
    () => {
      throw new Error('Storage is blocked.');
    },
    () => `token${++made}`,
  );
  expect([token(), token()]).toEqual(['token1', 'token1']);
  expect(warn).toHaveBeenCalledOnce();
});
