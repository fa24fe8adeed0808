import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveChange } from '#contract/platform/live.ts';
import { createLiveChanges, type LiveEnvironment } from './live-changes.ts';

/** A browser with its tabs, and the streams that they open. */
function fakeBrowser() {
  const streams: {
    send: (change: LiveChange) => void;
    comment: () => void;
    end: () => void;
    signal: AbortSignal;
  }[] = [];
  const wakeListeners = new Set<() => void>();
  const channels = new Set<(message: unknown) => void>();
  const waiting: (() => void)[] = [];
  let isLocked = false;
  const browser = {
    streams,
    /** What the server answers instead of a stream. */
    refusal: null as Response | null,
    isOnline: true,
    setOnline(isOnline: boolean) {
      browser.isOnline = isOnline;
      for (const listener of [...wakeListeners]) listener();
    },
    openings: 0,
    openTab() {
      const environment: LiveEnvironment = {
        async open(signal) {
          browser.openings += 1;
          if (browser.refusal !== null) return browser.refusal.clone();
          const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
          const writer = writable.getWriter();
          const write = (text: string) => void writer.write(new TextEncoder().encode(text)).catch(() => {});
          const send = (change: LiveChange) => write(`event: change\ndata: ${JSON.stringify(change)}\n\n`);
          signal.addEventListener('abort', () => void writer.abort(signal.reason).catch(() => {}));
          streams.push({ send, comment: () => write(':\n\n'), signal, end: () => void writer.close() });
          return new Response(readable);
        },
        isOnline: () => browser.isOnline,
        onWake(listener) {
          wakeListeners.add(listener);
          return () => wakeListeners.delete(listener);
        },
        openChannel(onMessage) {
          channels.add(onMessage);
          return {
            postMessage: (message) => {
              for (const receive of channels) if (receive !== onMessage) receive(message);
            },
            close: () => channels.delete(onMessage),
          };
        },
        async asOnlyTab(work, signal) {
          while (isLocked) await new Promise<void>((resolve) => waiting.push(resolve));
          if (signal.aborted) return;
          isLocked = true;
          await work();
          isLocked = false;
          for (const next of waiting.splice(0)) next();
        },
      };
      const changes: LiveChange[] = [];
      const live = createLiveChanges(environment);
      const close = live.subscribe((change) => changes.push(change));
      const states: boolean[] = [];
      live.watchOpen(() => states.push(live.isOpen()));
      return { changes, close, isOpen: live.isOpen, states };
    },
  };
  return browser;
}

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  browser = fakeBrowser();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test('one tab has the stream and tells the others; another one opens it when that tab closes', async () => {
  const [first, second] = [browser.openTab(), browser.openTab()];
  await settle();
  expect(browser.streams).toHaveLength(1);
  browser.streams[0]?.send({ about: 'messages', id: '7' });
  await settle();
  expect(first.changes).toEqual([{ about: 'messages', id: '7' }]);
  expect(second.changes).toEqual(first.changes);
  first.close();
  await settle();
  expect(browser.streams).toHaveLength(2);
  expect(browser.streams[0]?.signal.aborted).toBe(true);
  browser.streams[1]?.send({ about: 'notifications' });
  await settle();
  expect(first.changes).toHaveLength(1);
  expect(second.changes).toHaveLength(2);
  second.close();
});

test('a stream that ends is opened again after a second', async () => {
  const tab = browser.openTab();
  await settle(20_000);
  browser.streams[0]?.end();
  await settle(999);
  expect(browser.openings).toBe(1);
  await settle(1);
  expect(browser.openings).toBe(2);
  tab.close();
});

test('each failure in a row doubles the pause, up to a minute, and the server can ask for more', async () => {
  browser.refusal = new Response(null, { status: 503 });
  const tab = browser.openTab();
  await settle();
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const before = browser.openings;
    await settle(seconds * 1_000 - 1);
    expect(browser.openings).toBe(before);
    await settle(1);
    expect(browser.openings).toBe(before + 1);
  }
  browser.refusal = new Response(null, { status: 503, headers: { 'retry-after': '90' } });
  await settle(60_000);
  const before = browser.openings;
  await settle(89_999);
  expect(browser.openings).toBe(before);
  await settle(1);
  expect(browser.openings).toBe(before + 1);
  tab.close();
});

test('offline the stream is closed, and it is opened at once when the browser is back', async () => {
  const tab = browser.openTab();
  await settle(20_000);
  browser.setOnline(false);
  await settle(600_000);
  expect(browser.streams[0]?.signal.aborted).toBe(true);
  expect(browser.openings).toBe(1);
  browser.setOnline(true);
  await settle();
  expect(browser.openings).toBe(2);
  tab.close();
});

test('a stream that is silent for 45 s is replaced', async () => {
  const tab = browser.openTab();
  await settle(40_000);
  browser.streams[0]?.send({ about: 'messages' });
  await settle(44_000);
  expect(browser.streams[0]?.signal.aborted).toBe(false);
  await settle(1_000);
  expect(browser.streams[0]?.signal.aborted).toBe(true);
  await settle(1_000);
  expect(browser.streams).toHaveLength(2);
  tab.close();
});

test('every tab knows whether the stream is open', async () => {
  const [first, second] = [browser.openTab(), browser.openTab()];
  await settle();
  expect([first.isOpen(), second.isOpen()]).toEqual([false, false]);
  browser.streams[0]?.send({ about: 'everything' });
  await settle();
  expect([first.isOpen(), second.isOpen()]).toEqual([true, true]);
  browser.streams[0]?.end();
  await settle();
  expect([first.isOpen(), second.isOpen()]).toEqual([false, false]);
  await settle(1_000);
  browser.streams[1]?.send({ about: 'everything' });
  await settle();
  expect([first.states, second.states]).toEqual(Array(2).fill([true, false, true]));
  first.close();
  second.close();
  expect([first.isOpen(), second.isOpen()]).toEqual([false, false]);
});

test('a tab that is opened later hears of the stream with the next event or comment', async () => {
  const first = browser.openTab();
  await settle();
  browser.streams[0]?.send({ about: 'everything' });
  await settle();
  const second = browser.openTab();
  expect(second.isOpen()).toBe(false);
  browser.streams[0]?.comment();
  await settle();
  expect(second.isOpen()).toBe(true);
  first.close();
  second.close();
});

test('a stream that was not heard of for 45 s is not open', async () => {
  const [first, second] = [browser.openTab(), browser.openTab()];
  await settle();
  browser.streams[0]?.comment();
  await settle(40_000);
  browser.streams[0]?.comment();
  await settle(44_999);
  expect([first.isOpen(), second.isOpen()]).toEqual([true, true]);
  await settle(1);
  expect([first.isOpen(), second.isOpen()]).toEqual([false, false]);
  first.close();
  second.close();
});

test('offline the stream is not open, and a refused one is not either', async () => {
  const tab = browser.openTab();
  await settle();
  browser.streams[0]?.comment();
  await settle(20_000);
  browser.setOnline(false);
  await settle();
  expect(tab.isOpen()).toBe(false);
  browser.refusal = new Response('', { status: 503 });
  browser.setOnline(true);
  await settle();
  expect(browser.openings).toBe(2);
  expect(tab.isOpen()).toBe(false);
  tab.close();
});
