import { expect, test } from 'vitest';
import { newPasswordRules } from './new-password-rules.ts';

const { required, minLength, maxLength, pattern } = newPasswordRules;

/** What the form says of a password, in the order in which it looks. */
function said(password: string): string | null {
  if (password === '') return required;
  if (password.length < minLength.value) return minLength.message;
  if (password.length > maxLength.value) return maxLength.message;
  return pattern.value.test(password) ? null : pattern.message;
}

test('“Password is required” is said of none', () => {
  expect(said('')).toBe('Password is required');
});

test('“Password must be 6 character or longer” is said of five, not of six', () => {
  expect(said('Abc1!')).toBe('Password must be 6 character or longer');
  expect(said('Abcd1!')).toBeNull();
});

test('128 characters are enough for anybody, as for the identity provider', () => {
  expect(said('Ab1!'.repeat(32))).toBeNull();
  expect(said(`${'Ab1!'.repeat(32)}x`)).toBe('Password can be at most 128 characters');
});

test('a capital letter of another alphabet is one, as for the identity provider', () => {
  for (const password of ['Ábcdef1!', 'Жизнь1!']) expect(said(password)).toBeNull();
});

test.each(['abcd1!', 'Abcde!', 'Abcde1', 'Abcd1-', 'Abcd1?', 'ábcd1!'])(
  '“Password must be contain a capital letter and a special character.” is said of %s',
  (password) => {
    expect(said(password)).toBe('Password must be contain a capital letter and a special character.');
  },
);

test.each(['!', '@', '#', '$', '&', '*'])('a capital letter, a digit and %s are enough, wherever', (sign) => {
  for (const password of [`Abcd1${sign}`, `${sign}1dcbA`, `abc${sign}D1`]) expect(said(password)).toBeNull();
});
