import { onlineManager, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import * as outbox from './outbox.ts';

const ana = 'ana@people.example';
const start = new Date('2026-11-24T10:00:00Z');

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
const forbidden = () => {
  throw new DOMException('forbidden', 'SecurityError');
};
const unreachable = new Problem({ status: 0, code: 'network', detail: 'The shop cannot be reached.' });
const refused = new Problem({ status: 409, code: 'message_refused', detail: 'No.' });

const written = (conversationId: string, text: string): outbox.Unsent => ({
  conversationId,
  key: `key of ${text}`,
  text,
  photos: [],
  at: new Date().toISOString(),
  after: 3,
});

/** Opens the outbox of a page. @param answer fails or delays an attempt */
function open(
  storage: Parameters<typeof outbox.createOutbox>[2],
  answer: (message: outbox.Unsent) => Promise<void> = async () => undefined,
  email = ana,
) {
  const queries = new QueryClient();
  const sent: string[] = [];
  const box = outbox.createOutbox(queries, email, storage, async (message) => {
    sent.push(`${message.conversationId}: ${message.text}`);
    await answer(message);
  });
  const waiting = () =>
    queries
      .getMutationCache()
      .getAll()
      .map(({ state }) => ({
        key: outbox.Unsent.parse(state.variables).key,
        failure: state.error?.message ?? null,
      }));
  return { box, queries, sent, waiting };
}

/** Lets attempts and their answers go on, and waits for repeated ones. */
const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  onlineManager.setOnline(true);
  vi.useRealTimers();
});

test('a message that was read before the response to it is not shown as waiting, each of two like ones once', () => {
  const yes = (key: string, failure: string | null = null) => ({ ...written('one', 'Yes.'), key, failure });
  const message = (sequence: number, mine = true) => ({
    sequence,
    mine,
    text: 'Yes.',
    at: start.toISOString(),
    photos: [],
    warnings: [],
  });
  const keys = (waiting: outbox.Waiting[], ...messages: ReturnType<typeof message>[]) =>
    outbox.withoutStored(waiting, messages).map(({ key }) => key);
  const both = [yes('a'), yes('b')];
  expect(keys(both, message(2), message(3), message(4, false))).toEqual(['a', 'b']);
  expect(keys(both, message(3), message(4))).toEqual(['b']);
  expect(keys(both, message(4), message(5))).toEqual([]);
  expect(keys([yes('a', 'No.'), yes('b')], message(4))).toEqual(['a']);
});

test.each([
  ['forbidden', forbidden],
  ['full', () => ({ ...fakeStorage(), setItem: forbidden })],
])('sends what was written while storage is %s', async (_, storage) => {
  const { box, sent, waiting } = open(storage);
  box.add(written('one', 'I can come on Friday'));
  expect(waiting()).toMatchObject([{ failure: null }]);
  await pass();
  expect(sent).toEqual(['one: I can come on Friday']);
  expect(waiting()).toEqual([]);
});

test('sends what an earlier page has left in any conversation, in order, under the same keys', async () => {
  const storage = fakeStorage();
  onlineManager.setOnline(false);
  const before = open(() => storage);
  for (const text of ['A', 'B']) {
    before.box.add(written('one', text));
    await pass(1);
  }
  before.box.add(written('two', 'C'));
  await pass();
  expect(before.sent).toEqual([]);
  // Of earlier versions.
  storage.setItem(`coomercioMessages:${ana}:three:key`, '{"message":7}');
  storage.setItem(`coomercioMessages:${ana}:three`, 'I can come');
  before.queries.clear();
  onlineManager.setOnline(true);
  const keys: string[] = [];
  const { waiting, sent } = open(
    () => storage,
    async ({ key }) => void keys.push(key),
  );
  await pass();
  expect(sent.toSorted()).toEqual(['one: A', 'one: B', 'two: C']);
  expect(sent.indexOf('one: A')).toBeLessThan(sent.indexOf('one: B'));
  expect(keys.toSorted()).toEqual(['key of A', 'key of B', 'key of C']);
  expect(before.sent).toEqual([]);
  expect([storage.entries.size, waiting()]).toEqual([0, []]);
});

test('waits for a connection, and is sent when it returns', async () => {
  onlineManager.setOnline(false);
  const { box, queries, sent } = open(fakeStorage);
  box.add(written('one', 'A'));
  await pass(HOUR_MS);
  expect(sent).toEqual([]);
  onlineManager.setOnline(true);
  await queries.resumePausedMutations();
  expect(sent).toEqual(['one: A']);
});

test('repeats what got no answer, and the others go on after a refusal', async () => {
  let outcome: Problem | null = unreachable;
  const storage = fakeStorage();
  const { box, sent, waiting } = open(
    () => storage,
    async ({ conversationId, text }) => {
      if (conversationId === 'two' && text === 'B') throw refused;
      if (conversationId === 'one' && outcome !== null) throw outcome;
    },
  );
  box.add(written('one', 'A'));
  box.add(written('two', 'B'));
  box.add(written('two', 'C'));
  await pass();
  expect(sent).toEqual(['one: A', 'two: B', 'two: C']);
  expect(waiting()).toEqual([
    { key: 'key of A', failure: null },
    { key: 'key of B', failure: 'No.' },
  ]);
  outcome = null;
  await pass(10_000);
  expect(sent.slice(3)).toEqual(['one: A']);
  // A page that is opened later shows the refusal, and sends nothing by itself.
  const later = open(() => storage);
  await pass();
  expect([later.waiting(), later.sent]).toEqual([[{ key: 'key of B', failure: 'No.' }], []]);
  later.box.retry('key of B', { key: 'another key', at: new Date().toISOString() });
  await pass();
  expect([later.waiting(), later.sent, storage.entries.size]).toEqual([[], ['two: B'], 0]);
});

test('sends a message once, and what is written meanwhile after it', async () => {
  const arrived = Promise.withResolvers<void>();
  const { box, sent } = open(fakeStorage, async ({ text }) => {
    if (text === 'A') await arrived.promise;
  });
  box.add(written('one', 'A'));
  await pass();
  box.add(written('one', 'B'));
  await pass();
  expect(sent).toEqual(['one: A']);
  arrived.resolve();
  await pass();
  expect(sent).toEqual(['one: A', 'one: B']);
});

test('a message that waited nearly a day is not sent by itself: the shop may have forgotten its key', async () => {
  const storage = fakeStorage();
  onlineManager.setOnline(false);
  const before = open(() => storage);
  before.box.add(written('one', 'A'));
  await pass();
  before.queries.clear();
  onlineManager.setOnline(true);
  vi.setSystemTime(new Date(start.getTime() + 21 * HOUR_MS));
  const { sent, waiting } = open(() => storage);
  await pass();
  expect([sent, waiting()]).toEqual([
    [],
    [{ key: 'key of A', failure: expect.stringContaining('for a day') }],
  ]);
});

test('shares messages with other tabs, and a sign-out that clears storage removes them everywhere', async () => {
  const storage = fakeStorage();
  onlineManager.setOnline(false);
  const [here, there] = [open(() => storage), open(() => storage)];
  here.box.add(written('one', 'A'));
  await pass();
  const entry = `coomercioMessages:${ana}:one:key of A`;
  expect([...storage.entries.keys()]).toEqual([entry]);
  there.box.refresh(entry);
  expect(there.waiting()).toEqual([{ key: 'key of A', failure: null }]);
  here.box.remove('key of A');
  there.box.refresh(entry);
  expect([there.waiting(), storage.entries.size]).toEqual([[], 0]);

  const memory = open(forbidden);
  memory.box.add(written('one', 'A'));
  await pass();
  memory.box.refresh(null);
  expect(memory.waiting()).toEqual([]);
});

test('a message that is repeated stops with the cache of a person who has signed out', async () => {
  const { box, queries, sent } = open(fakeStorage, async () => {
    throw unreachable;
  });
  box.add(written('one', 'A'));
  await pass();
  queries.clear();
  await pass(HOUR_MS);
  expect(sent).toHaveLength(1);
});
