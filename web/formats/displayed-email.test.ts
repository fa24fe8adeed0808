import { expect, test } from 'vitest';
import { displayedEmail } from './displayed-email.ts';

test.each([
  ['post@xn--bcher-kva.example', 'post@bücher.example'],
  ['post@mail.example', 'post@mail.example'],
])('%s is shown as %s', (address, shown) => {
  expect(displayedEmail(address)).toBe(shown);
});
