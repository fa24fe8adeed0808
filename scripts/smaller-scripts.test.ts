import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { escapeWide } from './smaller-scripts.ts';

test.each([
  ['a string', String.raw`'“quoted” – 5 €'`],
  ['a backslash before the character', String.raw`'\“ \\“ \\\“'`],
  ['a character of two code units', String.raw`'👍🏽'`],
  ['a template', String.raw`${'`'}${'${1 + 1}'} „Gäste“${'`'}`],
  ['a regular expression', String.raw`/^[“”👍]+$/u.exec('“👍”')[0]`],
  ['a name', String.raw`(({ Ωmega }) => Ωmega)({ Ωmega: 'Ω' })`],
])('%s has one byte a character, and the same value', (_, code) => {
  const escaped = escapeWide(code);
  expect(escaped).toMatch(/^[\0-\xff]*$/);
  expect(runInNewContext(escaped)).toBe(runInNewContext(code));
});
