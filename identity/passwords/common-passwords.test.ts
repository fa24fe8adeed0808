import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

it.each([
  'Password1!',
  'P@ssw0rd',
  'Passw0rd!',
  'Summer2026!',
  'Qwerty123!',
  'Welcome@123',
  '!QAZ2wsx',
  'Zaq1@wsx',
  '1qaz!QAZ',
  'Letmein#1',
  'Dragon!23',
  'Michael#1985',
  '123Iloveyou!',
  'ＰａｓｓＷｏｒｄ１!',
])('refuses %s, a variation of a common word', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

it.each(['Orchid#7Lantern', 'Blue#Kettle42', 'Zebra!Quill9', 'Xk4#vLq9', 'Coomercio#2018', 'Ünbekannt#42'])(
  'accepts %s',
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);

it('refuses the words of the account itself', () => {
  expect(isCommonPassword('Zwetschgenkuchen#1')).toBe(false);
  expect(isCommonPassword('Zwetschgenkuchen#1', ['zwetschgenkuchen'])).toBe(true);
  expect(isCommonPassword('Xk4#vLq9', ['xk'])).toBe(false);
});
