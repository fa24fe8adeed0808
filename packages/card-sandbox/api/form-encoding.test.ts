import { expect, test } from 'vitest';
import { parseForm } from './form-encoding.ts';

const plain = (encoded: string) => JSON.parse(JSON.stringify(parseForm(encoded)));

test('parses brackets as nested objects and lists', () => {
  expect(plain('amount=5&metadata[a][b]=c&expand[0]=x&expand[1]=y&types[]=card')).toEqual({
    amount: '5',
    metadata: { a: { b: 'c' } },
    expand: ['x', 'y'],
    types: ['card'],
  });
  expect(plain('name=J%C3%BCrgen+%26+Co&metadata[k]=')).toEqual({ name: 'Jürgen & Co', metadata: { k: '' } });
});

test('accepts names of inherited properties', () => {
  expect(Object.keys(parseForm('__proto__[admin]=1&metadata[constructor]=2'))).toEqual([
    '__proto__',
    'metadata',
  ]);
  expect({}).not.toHaveProperty('admin');
});

test('rejects deep nesting', () => {
  expect(() => parseForm(`a${'[b]'.repeat(50)}=1`)).toThrow(RangeError);
});
