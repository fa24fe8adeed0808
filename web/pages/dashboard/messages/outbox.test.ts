import { beforeEach, expect, test, vi } from 'vitest';
import * as outbox from './outbox.ts';

const now = new Date('2026-11-24T10:00:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

beforeEach(() => {
  const entries = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    get length() {
      return entries.size;
    },
  });
});

const written = (key: string) => ({ key, after: 3, now });
const typed = (draft: string): outbox.Kept => ({ draft, waiting: [] });

test('a draft is kept by person and conversation, and leaves nothing when it is empty', () => {
  outbox.writeKept('ana@people.example', 'one', typed('Is it'));
  expect(outbox.readKept('ana@people.example', 'one')).toEqual(typed('Is it'));
  expect(outbox.readKept('ana@people.example', 'two')).toEqual(typed(''));
  expect(outbox.readKept('bob@people.example', 'one')).toEqual(typed(''));
  outbox.writeKept('ana@people.example', 'one', typed(''));
  expect(localStorage).toHaveLength(0);
});

test('an entry that something else wrote counts as none', () => {
  localStorage.setItem('coomercioMessages:ana@people.example:one', '{"draft":7}');
  expect(outbox.readKept('ana@people.example', 'one')).toEqual(typed(''));
});

test('a sent draft waits with its key, in order; an empty one is not sent', () => {
  const first = outbox.queueDraft(typed('  One.\n'), written('a'));
  const second = outbox.queueDraft({ ...first, draft: 'Two.' }, written('b'));
  expect(second).toEqual({
    draft: '',
    waiting: [
      { key: 'a', text: 'One.', photos: [], at: now.toISOString(), failure: null, after: 3 },
      { key: 'b', text: 'Two.', photos: [], at: now.toISOString(), failure: null, after: 3 },
    ],
  });
  expect(outbox.queueDraft(typed(' \n'), written('c'))).toEqual(typed(' \n'));
  expect(outbox.nextToSend(second, now)?.message.key).toBe('a');
  expect(outbox.nextToSend(outbox.removeWaiting(second, 'a'), now)?.message.key).toBe('b');
});

test('a photo is a message of its own, and the draft stays', () => {
  const kept = outbox.queuePhoto(typed('See the'), 'https://shop.example/photos/a', written('a'));
  expect(kept).toMatchObject({
    draft: 'See the',
    waiting: [{ key: 'a', text: '', photos: ['https://shop.example/photos/a'], failure: null }],
  });
});

test('a bounded number of messages waits; the next draft stays in the field', () => {
  let kept = typed('');
  for (let count = 0; count < 25; count += 1) {
    kept = outbox.queueDraft({ ...kept, draft: `${count}` }, written(`${count}`));
  }
  expect(kept.waiting).toHaveLength(20);
  expect(kept.draft).toBe('24');
});

test('a refused message is not sent again by itself, and the others go on', () => {
  const kept = outbox.queueDraft(
    { ...outbox.queueDraft(typed('One.'), written('a')), draft: 'Two.' },
    written('b'),
  );
  const failed = outbox.failWaiting(kept, 'a', 'No.');
  expect(failed.waiting[0]).toMatchObject({ key: 'a', failure: 'No.' });
  expect(outbox.nextToSend(failed, now)?.message.key).toBe('b');
  const retried = outbox.retryWaiting(failed, 'a', { key: 'c', now: later(1) });
  expect(outbox.nextToSend(retried, later(1))).toMatchObject({
    message: { key: 'c', failure: null },
    isExpired: false,
  });
});

test('a message that waited nearly a day is not sent by itself: the shop may have forgotten its key', () => {
  const kept = outbox.queueDraft(typed('One.'), written('a'));
  expect(outbox.nextToSend(kept, later(19))?.isExpired).toBe(false);
  expect(outbox.nextToSend(kept, later(21))?.isExpired).toBe(true);
});

test('a message that was read before the response to it is not shown as waiting, each of two like ones once', () => {
  const both = outbox.queueDraft(
    { ...outbox.queueDraft(typed('Yes.'), written('a')), draft: 'Yes.' },
    written('b'),
  );
  const message = (sequence: number, mine = true) => ({
    sequence,
    mine,
    text: 'Yes.',
    at: now.toISOString(),
    photos: [],
    warnings: [],
  });
  const keys = (kept: outbox.Kept, ...messages: ReturnType<typeof message>[]) =>
    outbox.withoutStored(kept.waiting, messages).map(({ key }) => key);
  expect(keys(both, message(2), message(3), message(4, false))).toEqual(['a', 'b']);
  expect(keys(both, message(3), message(4))).toEqual(['b']);
  expect(keys(both, message(4), message(5))).toEqual([]);
  expect(keys(outbox.failWaiting(both, 'a', 'No.'), message(4))).toEqual(['a']);
});
