import { expect, test } from 'vitest';
import type { NotificationEntry } from '#contract/people/notifications.ts';
import { toLines } from './notification-lines.ts';

const entry = (_id: string, about: Partial<NotificationEntry>): NotificationEntry => ({
  ...{ _id, topic: 'money', title: _id, body: '', path: '/dashboard/myOrders', at: '', seen: false },
  ...about,
});

test('a laptop has one line with its latest event, reviews have one, and the rest keep theirs', () => {
  const lines = toLines([
    entry('refunded', { laptop: 'A' }),
    entry('review shown', { topic: 'reviews', laptop: 'A' }),
    entry('complaint', { laptop: 'A' }),
    entry('name approved', {}),
    entry('review written', { topic: 'reviews', laptop: 'B' }),
    entry('sold', { laptop: 'B' }),
    entry('backup failed', {}),
  ]);
  expect(lines.map(({ latest, earlier }) => [latest._id, earlier.map(({ _id }) => _id)])).toEqual([
    ['refunded', ['complaint']],
    ['review shown', ['review written']],
    ['name approved', []],
    ['sold', []],
    ['backup failed', []],
  ]);
});
