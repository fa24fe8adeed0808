import { expect, test } from 'vitest';
import { recordClaimPayment } from '#contract/sales/labels.ts';
import { violations } from '../../../forms/use-write-form.ts';
import { paidAmount } from './insurance-claims.tsx';

test('an empty field and a text are no amount of an insurance, while 0 is', () => {
  const errorsOf = (typed: string) =>
    violations(recordClaimPayment, { body: { paidBefore: 0, paid: paidAmount(typed) } });
  for (const typed of ['', ' ', 'nothing']) {
    expect(errorsOf(typed)).toEqual({ paid: 'Enter an amount, or 0' });
  }
  expect(errorsOf('0')).toEqual({});
  expect([paidAmount('0'), paidAmount('549.99')]).toEqual([0, 549.99]);
});
