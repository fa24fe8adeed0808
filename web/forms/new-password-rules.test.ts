import { expect, test } from 'vitest';
import { newPasswordRules } from './new-password-rules.ts';

const { required, minLength, maxLength, pattern } = newPasswordRules;

/** The form's message for a password, in the order of its checks. */
function messageFor(password: string): string | null {
  if (password === '') return required;
  if (password.length < minLength.value) return minLength.message;
  if (password.length > maxLength.value) return maxLength.message;
  return pattern.value.test(password) ? null : pattern.message;
}

test('“Password is required” for an empty password', () => {
  expect(messageFor('')).toBe('Password is required');
});

test('“Password must be 6 character or longer” for five characters, not for six', () => {
  expect(messageFor('Abc1!')).toBe('Password must be 6 character or longer');
  expect(messageFor('Abcd1!')).toBeNull();
});

test('accepts up to 128 characters, as the identity provider does', () => {
  expect(messageFor('Ab1!'.repeat(32))).toBeNull();
  expect(messageFor(`${'Ab1!'.repeat(32)}x`)).toBe('Password can be at most 128 characters');
});

test('accepts a capital letter of any alphabet, as the identity provider does', () => {
  for (const password of ['Ábcdef1!', 'Жизнь1!']) expect(messageFor(password)).toBeNull();
});

test.each(['abcd1!', 'Abcde!', 'Abcde1', 'Abcd1-', 'Abcd1?', 'ábcd1!'])(
  '“Password must be contain a capital letter and a special character.” for %s',
  (password) => {
    expect(messageFor(password)).toBe('Password must be contain a capital letter and a special character.');
  },
);

test.each(['!', '@', '#', '$', '&', '*'])(
  'accepts a capital letter, a digit and %s in any position',
  (sign) => {
    for (const password of [`Abcd1${sign}`, `${sign}1dcbA`, `abc${sign}D1`])
      expect(messageFor(password)).toBeNull();
  },
);
