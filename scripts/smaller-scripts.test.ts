import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { escapeAboveLatin1 } from './smaller-scripts.ts';

test.each([
  ['a string', "'“quoted” – 5 €'"],
  ['a backslash before the character', String.raw`'\“ \\“ \\\“ \👍'`],
  ['a character of two code units', "'👍🏽'"],
  ['a template', '`„Gäste“`'],
  ['a regular expression', "/^[“”👍]+$/u.exec('“👍”')[0]"],
  ['a name', "(({ Ωmega }) => Ωmega)({ Ωmega: 'Ω' })"],
])('%s has one byte a character, and the same value', (_, code) => {
  const escaped = escapeAboveLatin1(code);
  expect(escaped).toMatch(/^[\0-\xff]*$/);
  expect(runInNewContext(escaped)).toBe(runInNewContext(code));
});
