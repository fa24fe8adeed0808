import { expect, test } from 'vitest';
import { orderMoveNames, orderStates } from '#contract/money/order-states.ts';
import { orderActor, orderDeadline, orderEventLabel, orderMeaning, orderStateLabel } from './order-texts.ts';

test.each(['buyer', 'seller'] as const)('texts about an order call its %s “you”', (role) => {
  const texts = [
    ...orderStates.flatMap((state) => [
      orderStateLabel({ state, role }).label,
      orderMeaning({ state, role }),
      orderDeadline({ state, role }) ?? '',
    ]),
    ...orderMoveNames.map((move) => orderEventLabel(move, role)),
    orderActor(role, role),
  ];
  for (const text of texts) expect(text.toLowerCase()).not.toContain(`the ${role}`);
});

test('the same deadline names its reader, and both people to an admin', () => {
  const ofComplaint = (role: 'buyer' | 'seller' | 'admin') => orderDeadline({ state: 'complaint', role });
  expect(ofComplaint('buyer')).toBe('Without the seller’s answer, you get the money back on');
  expect(ofComplaint('seller')).toBe('Without your answer, the buyer gets the money back on');
  expect(ofComplaint('admin')).toBe('Without the seller’s answer, the buyer gets the money back on');
});
