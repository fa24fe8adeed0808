import { expect, test } from 'vitest';
import { newPasswordRules } from './new-password.ts';

const { required, minLength, pattern } = newPasswordRules;

/** What the form says of a password, in the order in which it looks. */
function said(password: string): string | null {
  if (password === '') return required;
  if (password.length < minLength.value) return minLength.message;
  return pattern.value.test(password) ? null : pattern.message;
}

test('“Password is required” is said of none', () => {
  expect(said('')).toBe('Password is required');
});

test('“Password must be 6 character or longer” is said of five, not of six', () => {
  expect(said('Abc1!')).toBe('Password must be 6 character or longer');
  expect(said('Abcd1!')).toBeNull();
});

test.each(['abcd1!', 'Abcde!', 'Abcde1', 'Abcd1-', 'Abcd1?', 'Ábcd1é'])(
  '“Password must be contain a capital letter and a special character.” is said of %s',
  (password) => {
    expect(said(password)).toBe('Password must be contain a capital letter and a special character.');
  },
);

test.each(['!', '@', '#', '$', '&', '*'])('a capital letter, a digit and %s are enough, wherever', (sign) => {
  for (const password of [`Abcd1${sign}`, `${sign}1dcbA`, `abc${sign}D1`]) expect(said(password)).toBeNull();
});
