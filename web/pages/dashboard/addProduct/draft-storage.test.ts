import { expect, test } from 'vitest';
import { draftsOf } from './draft-storage.ts';
import { unanswered } from './form-values.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const { photo: _, ...texts } = { ...unanswered, name: 'EliteBook', resale_price: '549.9', Memory: '16 GB' };

test('a half-filled form comes back to the person who typed it, and to nobody else', () => {
  const storage = memory();
  draftsOf('ada@example.com', () => storage).keep(texts);
  expect(draftsOf('ada@example.com', () => storage).read()).toEqual(texts);
  expect(draftsOf('bob@example.com', () => storage).read()).toBeNull();
});

test('what was added or cleared does not come back', () => {
  const storage = memory();
  const own = draftsOf('ada@example.com', () => storage);
  own.keep(texts);
  own.forget();
  expect(own.read()).toBeNull();
});

test('the photo is not kept', () => {
  const storage = memory();
  draftsOf('ada@example.com', () => storage).keep(
    Object.assign({}, texts, { photo: new File(['x'], 'a.png') }),
  );
  expect([...storage.kept.values()].join()).not.toContain('photo');
});

test('storage that is forbidden, or holds something else, leaves the form empty and working', () => {
  const forbidden = draftsOf('ada@example.com', () => {
    throw new Error('storage is forbidden');
  });
  forbidden.keep(texts);
  forbidden.forget();
  expect(forbidden.read()).toBeNull();
  const storage = memory();
  storage.kept.set('coomercioNewProduct:ada@example.com', '{"name": 7}');
  expect(draftsOf('ada@example.com', () => storage).read()).toBeNull();
});
