import { expect, test } from 'vitest';
import { createDraftStorage } from './draft-storage.ts';
import { emptyValues } from './form-values.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const { photo: _, ...texts } = { ...emptyValues, name: 'EliteBook', resale_price: '549.9', Memory: '16 GB' };

test('a half-filled form comes back to the person who typed it, and to nobody else', () => {
  const storage = memory();
  createDraftStorage('ada@example.com', () => storage).save(texts);
  expect(createDraftStorage('ada@example.com', () => storage).read()).toEqual(texts);
  expect(createDraftStorage('bob@example.com', () => storage).read()).toBeNull();
});

test('what was added or cleared does not come back', () => {
  const storage = memory();
  const own = createDraftStorage('ada@example.com', () => storage);
  own.save(texts);
  own.discard();
  expect(own.read()).toBeNull();
});

test('the photo is not kept', () => {
  const storage = memory();
  createDraftStorage('ada@example.com', () => storage).save(
    Object.assign({}, texts, { photo: new File(['x'], 'a.png') }),
  );
  expect([...storage.kept.values()].join()).not.toContain('photo');
});

test('storage that is forbidden, or holds something else, leaves the form empty and working', () => {
  const forbidden = createDraftStorage('ada@example.com', () => {
    throw new Error('storage is forbidden');
  });
  forbidden.save(texts);
  forbidden.discard();
  expect(forbidden.read()).toBeNull();
  const storage = memory();
  storage.kept.set('coomercioNewProduct:ada@example.com', '{"name": 7}');
  expect(createDraftStorage('ada@example.com', () => storage).read()).toBeNull();
});
