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

test('restores the draft with the same key only', () => {
  const storage = memory();
  createDraftStorage('draft of ada', () => storage).save(texts);
  expect(createDraftStorage('draft of ada', () => storage).read()).toEqual(texts);
  expect(createDraftStorage('draft of bob', () => storage).read()).toBeNull();
});

test('a discarded draft is not restored', () => {
  const storage = memory();
  const own = createDraftStorage('draft of ada', () => storage);
  own.save(texts);
  own.discard();
  expect(own.read()).toBeNull();
});

test('stores no photos', () => {
  const storage = memory();
  createDraftStorage('draft of ada', () => storage).save(
    Object.assign({}, texts, { photo: new File(['x'], 'a.png') }),
  );
  expect([...storage.kept.values()].join()).not.toContain('photo');
});

test('returns no draft when storage is forbidden or its entry is invalid', () => {
  const forbidden = createDraftStorage('draft of ada', () => {
    throw new Error('storage is forbidden');
  });
  forbidden.save(texts);
  forbidden.discard();
  expect(forbidden.read()).toBeNull();
  const storage = memory();
  storage.kept.set('draft of ada', '{"name": 7}');
  expect(createDraftStorage('draft of ada', () => storage).read()).toBeNull();
});
