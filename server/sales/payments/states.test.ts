import { expect, test } from 'vitest';
import { refundStates, statesBefore } from '#server/money/refunds/rules.ts';
import { disputeStates, intentStates } from './states.ts';

test.each([
  ['intents', intentStates],
  ['refunds', refundStates],
  ['disputes', disputeStates],
])('the states of %s form a strict partial order', (_, order) => {
  const follows: Record<string, readonly string[]> = order;
  for (const [state, later] of Object.entries(follows)) {
    expect(later).not.toContain(state);
    for (const next of later) for (const last of follows[next] ?? []) expect(later).toContain(last);
  }
});

test('lists the states that can precede a state', () => {
  expect(statesBefore(disputeStates, 'disputed')).toEqual(['inquiry', 'inquiry_closed']);
  expect(statesBefore(intentStates, 'open')).toEqual([]);
  const before = (state: keyof typeof refundStates) => statesBefore(refundStates, state);
  expect([before('waiting'), before('pending')]).toEqual([[], ['waiting']]);
  expect(before('done')).toEqual(['waiting', 'pending']);
  expect(before('failed')).toEqual(['waiting', 'pending', 'done']);
  const isOwed = ['waiting', 'pending', 'done', 'failed'];
  expect([before('paid_by_bank'), before('paid_by_hand')]).toEqual([isOwed, isOwed]);
});
