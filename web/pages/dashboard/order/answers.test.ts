import { expect, test } from 'vitest';
import type { ComplaintKind } from '#contract/sales/complaints.ts';
import type { Parcel } from '#contract/sales/orders.ts';
import { answersTo } from './answers.ts';

const returned: Parcel = {
  way: 'back',
  carrier: 'UPS',
  trackingNumber: '1Z999',
  at: '2026-11-27T12:00:00Z',
  tracking: { state: 'delivered', at: '2026-11-28T12:00:00Z' },
};
const { tracking: _tracking, ...ownLabel } = returned;

/** The answers of the seller to whom a laptop returned. */
const answers = (kind: ComplaintKind, ...parcels: Parcel[]) =>
  answersTo(
    {
      ...{
        role: 'seller',
        moves: ['confirm_return', 'deny_return'],
        delivery: 'ship',
        laptopWithBuyer: false,
      },
      ...{ parcels, price: 549.99, refunded: 0, goodwill: 0 },
    },
    { _id: '00000000-0000-4000-8000-000000000001', kind, isOpen: true, offered: null, statements: [] },
  ).map(({ name }) => name);

test('a damaged return can be claimed when the shop bought its label, and the way out is not claimed already', () => {
  expect(answers('does_not_work', returned)).toContain('confirm_damaged');
  expect(answers('damaged', returned)).not.toContain('confirm_damaged');
  expect(answers('does_not_work', ownLabel)).not.toContain('confirm_damaged');
  expect(answers('does_not_work')).not.toContain('confirm_damaged');
});

test.each([
  [true, 15.91, 'You still pay for its labels: $15.91 so far, and the return label'],
  [false, 15.91, 'You still pay $15.91 for its labels.'],
])(
  'a seller who gives the price back learns of the labels (laptop with the buyer: %s)',
  (laptopWithBuyer, labels, words) => {
    const [accept] = answersTo(
      {
        ...{ role: 'seller', moves: ['accept'], delivery: 'ship', laptopWithBuyer, parcels: [], labels },
        ...{ price: 549.99, refunded: 0, goodwill: 0 },
      },
      {
        ...{ _id: '00000000-0000-4000-8000-000000000001', kind: 'does_not_work', isOpen: true },
        ...{ offered: null, statements: [] },
      },
    );
    expect(accept?.consequence).toContain(words);
  },
);
