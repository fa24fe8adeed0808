import { expect, test } from 'vitest';
import { Draft, emptyValues } from '../laptop-form/form-values.ts';
import { createDraft } from './draft.ts';

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
  createDraft('draft of ada', Draft, () => storage).save(texts);
  expect(createDraft('draft of ada', Draft, () => storage).read()).toEqual(texts);
  expect(createDraft('draft of bob', Draft, () => storage).read()).toBeNull();
});

test('a discarded draft is not restored', () => {
  const storage = memory();
  const own = createDraft('draft of ada', Draft, () => storage);
  own.save(texts);
  own.discard();
  expect(own.read()).toBeNull();
});

test('stores no photos', () => {
  const storage = memory();
  createDraft('draft of ada', Draft, () => storage).save(
    Object.assign({}, texts, { photo: new File(['x'], 'a.png') }),
  );
  expect([...storage.kept.values()].join()).not.toContain('photo');
});

test('ignores a draft from before an upgrade, whose fields are others', () => {
  const storage = memory();
  const draft = createDraft('draft of ada', Draft, () => storage);
  const { version: _version, ...without } = texts;
  for (const stored of [
    without,
    {},
    { ...texts, condition: 'Excellent once' },
    { ...texts, details: 'none' },
  ]) {
    storage.kept.set('draft of ada', JSON.stringify(stored));
    expect(draft.read()).toBeNull();
  }
  storage.kept.set('draft of ada', JSON.stringify({ ...texts, colour: 'silver' }));
  expect(draft.read()).toEqual(texts);
});

test('returns no draft when storage is forbidden or its entry is invalid', () => {
  const forbidden = createDraft('draft of ada', Draft, () => {
    throw new Error('storage is forbidden');
  });
  forbidden.save(texts);
  forbidden.discard();
  expect(forbidden.read()).toBeNull();
  const storage = memory();
  storage.kept.set('draft of ada', '{"name": 7}');
  expect(createDraft('draft of ada', Draft, () => storage).read()).toBeNull();
});
