import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveChange } from '#contract/platform/live.ts';
import { keepStreamOpen } from './keep-stream-open.ts';

/** A browser with a page, and the streams that it opens. */
function fakeBrowser() {
  const streams: {
    send: (change: LiveChange) => void;
    comment: () => void;
    end: () => void;
    signal: AbortSignal;
  }[] = [];
  const watchers = new Set<() => void>();
  const browser = {
    streams,
    /** What the server answers instead of a stream. */
    refusal: null as Response | null,
    isWanted: true,
    /** Goes offline or back, or hides the page or shows it. */
    setWanted(isWanted: boolean) {
      browser.isWanted = isWanted;
      for (const watcher of [...watchers]) watcher();
    },
    openings: 0,
    openPage() {
      const changes: LiveChange[] = [];
      const states: boolean[] = [];
      const setOpen = (isOpen: boolean) => {
        if (isOpen !== (states.at(-1) ?? false)) states.push(isOpen);
      };
      const page = new AbortController();
      const environment = {
        async open(signal: AbortSignal) {
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
        isWanted: () => browser.isWanted,
        watchWanted(listener: () => void) {
          watchers.add(listener);
          return () => watchers.delete(listener);
        },
      };
      const stream = {
        onChange: (change: LiveChange) => void changes.push(change),
        onAlive: () => setOpen(true),
        onEnd: () => setOpen(false),
      };
      void keepStreamOpen(environment, stream, page.signal);
      return { changes, close: () => page.abort(), isOpen: () => states.at(-1) ?? false, states };
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

test('a page is told of changes until it is closed', async () => {
  const page = browser.openPage();
  await settle();
  browser.streams[0]?.send({ about: 'messages', id: '7' });
  await settle();
  expect(page.changes).toEqual([{ about: 'messages', id: '7' }]);
  page.close();
  await settle();
  expect(browser.streams[0]?.signal.aborted).toBe(true);
  await settle(60_000);
  expect(browser.openings).toBe(1);
});

test('a stream that ends is opened again after a second', async () => {
  const page = browser.openPage();
  await settle(20_000);
  browser.streams[0]?.end();
  await settle(999);
  expect(browser.openings).toBe(1);
  await settle(1);
  expect(browser.openings).toBe(2);
  page.close();
});

test('each failure in a row doubles the pause, up to a minute, and the server can ask for more', async () => {
  browser.refusal = new Response(null, { status: 503 });
  const page = browser.openPage();
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
  page.close();
});

test('the stream of a page that is offline or hidden is closed, and opened at once when it is back', async () => {
  const page = browser.openPage();
  await settle(20_000);
  browser.setWanted(false);
  await settle(600_000);
  expect(browser.streams[0]?.signal.aborted).toBe(true);
  expect(browser.openings).toBe(1);
  browser.setWanted(true);
  await settle();
  expect(browser.openings).toBe(2);
  page.close();
});

test('a stream that is silent for 45 s is replaced', async () => {
  const page = browser.openPage();
  await settle(40_000);
  browser.streams[0]?.send({ about: 'messages' });
  await settle(44_000);
  expect(browser.streams[0]?.signal.aborted).toBe(false);
  await settle(1_000);
  expect(browser.streams[0]?.signal.aborted).toBe(true);
  await settle(1_000);
  expect(browser.streams).toHaveLength(2);
  page.close();
});

test('a page knows whether the stream is open', async () => {
  const page = browser.openPage();
  await settle();
  expect(page.isOpen()).toBe(false);
  browser.streams[0]?.comment();
  await settle();
  expect(page.isOpen()).toBe(true);
  browser.streams[0]?.end();
  await settle();
  expect(page.isOpen()).toBe(false);
  await settle(1_000);
  browser.streams[1]?.send({ about: 'everything' });
  await settle(44_999);
  expect(page.states).toEqual([true, false, true]);
  await settle(1);
  expect(page.isOpen()).toBe(false);
  await settle(1_000);
  browser.streams[2]?.comment();
  await settle();
  expect(page.isOpen()).toBe(true);
  page.close();
  await settle();
  expect(page.isOpen()).toBe(false);
});

test('offline the stream is not open, and a refused one is not either', async () => {
  const page = browser.openPage();
  await settle();
  browser.streams[0]?.comment();
  await settle(20_000);
  browser.setWanted(false);
  await settle();
  expect(page.isOpen()).toBe(false);
  browser.refusal = new Response('', { status: 503 });
  browser.setWanted(true);
  await settle();
  expect(browser.openings).toBe(2);
  expect(page.isOpen()).toBe(false);
  page.close();
});
