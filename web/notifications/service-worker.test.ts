import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test, vi } from 'vitest';

const source = readFileSync(join(import.meta.dirname, '../../public/service-worker.js'), 'utf8');

const origin = 'https://shop.example';

type Listener = (event: Record<string, unknown>) => void;

let listeners: Map<string, Listener>;
let tabs: { url: string; focus: () => Promise<void> }[];
const showNotification = vi.fn(async () => undefined);
const openWindow = vi.fn(async () => undefined);

beforeEach(() => {
  listeners = new Map();
  tabs = [];
  showNotification.mockClear();
  openWindow.mockClear();
  const self = {
    location: { origin },
    registration: { showNotification },
    clients: { matchAll: async () => tabs, openWindow },
    skipWaiting: () => undefined,
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  };
  runInNewContext(source, { self, URL });
});

/** Dispatches an event, and waits as long as the browser would keep the worker alive. */
async function dispatch(name: string, event: Record<string, unknown>): Promise<void> {
  const waits: unknown[] = [];
  listeners.get(name)?.({ ...event, waitUntil: (work: unknown) => waits.push(work) });
  expect(waits).toHaveLength(1);
  await Promise.all(waits);
}

async function click(path: string) {
  const close = vi.fn();
  await dispatch('notificationclick', { notification: { close, data: { path } } });
  expect(close).toHaveBeenCalledOnce();
}

test('a push message is shown under the id of its notification', async () => {
  const message = {
    id: '7',
    title: 'HP was booked',
    body: 'Somebody booked it.',
    path: '/dashboard/myBuyers',
  };
  await dispatch('push', { data: { json: () => message } });
  expect(showNotification).toHaveBeenCalledExactlyOnceWith('HP was booked', {
    body: 'Somebody booked it.',
    tag: '7',
    data: { path: '/dashboard/myBuyers' },
  });
});

test('a click focuses the tab with the page', async () => {
  const focus = vi.fn(async () => undefined);
  tabs = [
    { url: `${origin}/dashboard/addProduct`, focus: () => Promise.reject(new Error('another page')) },
    { url: `${origin}/dashboard/myBuyers`, focus },
  ];
  await click('/dashboard/myBuyers');
  expect(focus).toHaveBeenCalledOnce();
  expect(openWindow).not.toHaveBeenCalled();
});

test('a click opens the page when no tab shows it', async () => {
  tabs = [{ url: `${origin}/`, focus: () => Promise.reject(new Error('another page')) }];
  await click('/dashboard/myBuyers');
  expect(openWindow).toHaveBeenCalledExactlyOnceWith(`${origin}/dashboard/myBuyers`);
});

test.each(['//elsewhere.example/', 'https://elsewhere.example/'])(
  'a click does not open %s',
  async (path) => {
    await click(path);
    expect(openWindow).not.toHaveBeenCalled();
  },
);
