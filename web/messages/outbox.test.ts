import { describe, expect, test, vi } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import * as outbox from './outbox.ts';

const now = new Date('2026-11-24T10:00:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

const written = (key: string) => ({ key, after: 3, now });
const typed = (draft: string): outbox.Kept => ({ draft, waiting: [] });

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

describe('the outbox', () => {
  const ana = 'ana@people.example';

  /** A storage of the tabs of one browser, which can refuse to store. */
  function fakeStorage() {
    const entries = new Map<string, string>();
    const fake = {
      isFull: false,
      entries,
      get length() {
        return entries.size;
      },
      key: (index: number) => [...entries.keys()][index] ?? null,
      getItem: (key: string) => entries.get(key) ?? null,
      setItem(key: string, value: string) {
        if (fake.isFull) throw new DOMException('full', 'QuotaExceededError');
        entries.set(key, value);
      },
      removeItem: (key: string) => void entries.delete(key),
    };
    return fake;
  }
  const browser =
    (storage = fakeStorage()) =>
    () =>
      storage;
  const forbidden = () => {
    throw new DOMException('forbidden', 'SecurityError');
  };
  const unreachable = new Problem({ status: 0, code: 'network', detail: 'The shop cannot be reached.' });
  const refused = new Problem({ status: 409, code: 'message_refused', detail: 'No.' });

  const key = (name: string) => ({ key: name, after: 0, now: new Date() });
  function write(box: outbox.Outbox, id: string, text: string) {
    box.change(id, (kept) => ({ ...kept, draft: text }));
    box.change(id, (kept) => outbox.queueDraft(kept, key(text)));
  }
  /** Records the texts that are sent. @param answer fails or delays an attempt */
  function shop(answer: (id: string, text: string) => Promise<void> = async () => undefined) {
    const sent: string[] = [];
    const send: outbox.Send = async (id, { text }) => {
      sent.push(`${id}: ${text}`);
      await answer(id, text);
    };
    return { sent, send };
  }

  test('keeps drafts by person and conversation, and leaves nothing when they are empty', () => {
    const storage = fakeStorage();
    outbox.createOutbox(ana, () => storage).change('one', () => typed('Is it'));
    const again = outbox.createOutbox(ana, () => storage);
    expect(again.read('one')).toEqual(typed('Is it'));
    expect(again.read('two')).toEqual(typed(''));
    expect(again.isEmpty()).toBe(false);
    expect(outbox.createOutbox('bob@people.example', () => storage).isEmpty()).toBe(true);
    again.change('one', () => typed(''));
    expect(storage.entries.size).toBe(0);
  });

  test('takes an entry that something else wrote for none', () => {
    const storage = fakeStorage();
    storage.setItem(`coomercioMessages:${ana}:one`, '{"draft":7}');
    expect(outbox.createOutbox(ana, () => storage).read('one')).toEqual(typed(''));
  });

  test.each([
    ['forbidden', forbidden],
    ['full', () => ({ ...fakeStorage(), setItem: forbidden })],
  ])('sends what was typed while storage is %s', async (_, storage) => {
    const box = outbox.createOutbox(ana, storage);
    const { sent, send } = shop();
    write(box, 'one', 'I can come on Friday');
    expect(box.read('one')).toMatchObject({ draft: '', waiting: [{ text: 'I can come on Friday' }] });
    await box.sendAll(send);
    expect(sent).toEqual(['one: I can come on Friday']);
    expect(box.isEmpty()).toBe(true);
  });

  test('sends the whole text when storage became full while it was typed', async () => {
    const storage = fakeStorage();
    const box = outbox.createOutbox(ana, () => storage);
    const { sent, send } = shop();
    box.change('one', () => typed('I can'));
    storage.isFull = true;
    write(box, 'one', 'I can come on Friday');
    await box.sendAll(send);
    expect(sent).toEqual(['one: I can come on Friday']);
    expect(storage.entries.size).toBe(0);
  });

  test('sends what an earlier page has left in any conversation, in order', async () => {
    const storage = fakeStorage();
    const before = outbox.createOutbox(ana, () => storage);
    for (const text of ['A', 'B']) write(before, 'one', text);
    write(before, 'two', 'C');
    const { sent, send } = shop();
    await outbox.createOutbox(ana, () => storage).sendAll(send);
    expect(sent.toSorted()).toEqual(['one: A', 'one: B', 'two: C']);
    expect(storage.entries.size).toBe(0);
  });

  test('counts what waits after a failure and what was refused, and sends what waits again', async () => {
    const box = outbox.createOutbox(ana, browser());
    write(box, 'one', 'A');
    write(box, 'two', 'B');
    expect(box.unsent()).toEqual([]);
    const failing = shop(async (id) => {
      throw id === 'one' ? unreachable : refused;
    });
    await box.sendAll(failing.send);
    expect(box.unsent()).toEqual([
      { conversationId: 'one', waiting: 1, refused: 0 },
      { conversationId: 'two', waiting: 0, refused: 1 },
    ]);
    expect(box.read('two').waiting[0]?.failure).toBe('No.');
    const { sent, send } = shop();
    await box.sendAll(send);
    expect(sent).toEqual(['one: A']);
    expect(box.unsent()).toEqual([{ conversationId: 'two', waiting: 0, refused: 1 }]);
  });

  test('sends a message once, and what is written meanwhile after it', async () => {
    const box = outbox.createOutbox(ana, browser());
    const arrived = Promise.withResolvers<void>();
    const { sent, send } = shop((_, text) => (text === 'A' ? arrived.promise : Promise.resolve()));
    write(box, 'one', 'A');
    const sending = box.sendAll(send);
    write(box, 'one', 'B');
    await box.sendAll(send);
    expect(sent).toEqual(['one: A']);
    arrived.resolve();
    await sending;
    expect(sent).toEqual(['one: A', 'one: B']);
  });

  test('shares messages with other tabs, under the same keys', async () => {
    const storage = fakeStorage();
    const [here, there] = [outbox.createOutbox(ana, () => storage), outbox.createOutbox(ana, () => storage)];
    write(here, 'one', 'A');
    // The event of storage may arrive later than the next change.
    write(there, 'one', 'B');
    here.refresh(`coomercioMessages:${ana}:one`);
    const texts = ({ waiting }: outbox.Kept) => waiting.map((message) => message.key);
    expect(texts(here.read('one'))).toEqual(['A', 'B']);
    expect(texts(there.read('one'))).toEqual(['A', 'B']);
    await here.sendAll(shop().send);
    there.refresh(`coomercioMessages:${ana}:one`);
    expect(there.isEmpty()).toBe(true);
  });

  test('is empty after a sign-out has cleared storage, also of what storage did not take', () => {
    const box = outbox.createOutbox(ana, forbidden);
    const listener = vi.fn();
    box.subscribe(listener);
    write(box, 'one', 'A');
    listener.mockClear();
    box.refresh(null);
    expect(box.isEmpty()).toBe(true);
    expect(listener).toHaveBeenCalledOnce();
  });
});
