import { beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '#contract/platform/client.ts';
import { fakeStorage } from '../session/identity/testing/environment.ts';
import { closeSeenMessages, readPushState, startPush, stopPush } from './push.ts';

const id = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;

let requests: string[];
let shown: { tag: string; close: () => void }[];
let subscription: { toJSON: () => unknown; unsubscribe: () => Promise<boolean> } | null;
let items: Map<string, string>;
/** What the shop answers to a subscription. */
let subscribed: Response;

const entry = (last: number, seen: boolean) => ({
  _id: id(last),
  topic: 'bookings',
  title: 'HP was booked',
  body: 'Somebody booked it.',
  path: '/dashboard/myBuyers',
  at: '2026-11-24T08:00:00.000Z',
  seen,
});

const api = createClient({
  base: '/api',
  token: () => null,
  fetch: async (url, { method = 'GET' }) => {
    requests.push(`${method} ${url}`);
    if (method === 'POST') return subscribed.clone();
    if (method === 'DELETE') return Response.json({ acknowledged: true, deletedCount: 1 });
    return Response.json([entry(1, true), entry(2, false)]);
  },
});

function stubBrowser(permission: NotificationPermission): void {
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
  const registration = {
    getNotifications: async () => shown,
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async () => {
        subscription = {
          toJSON: () => ({ endpoint: 'https://push.example/1', keys }),
          unsubscribe: async () => {
            subscription = null;
            return true;
          },
        };
        return subscription;
      },
    },
  };
  const serviceWorker = {
    getRegistration: async () => registration,
    register: async () => registration,
    ready: Promise.resolve(registration),
  };
  vi.stubGlobal('navigator', { serviceWorker });
  vi.stubGlobal('window', { PushManager: {}, Notification: {} });
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission });
}

beforeEach(() => {
  requests = [];
  shown = [];
  subscription = null;
  subscribed = Response.json({ acknowledged: true, insertedId: id(9) });
  const fake = fakeStorage();
  items = fake.items;
  vi.stubGlobal('localStorage', fake.storage);
  stubBrowser('granted');
});

test('messages of seen notifications are closed, and others stay', async () => {
  const closed: string[] = [];
  shown = [1, 2, 3].map((last) => ({ tag: id(last), close: () => closed.push(id(last)) }));
  await closeSeenMessages(api);
  expect(closed).toEqual([id(1)]);
});

test('the shop is asked nothing while no message is shown', async () => {
  await closeSeenMessages(api);
  expect(requests).toEqual([]);
});

test('a subscription is turned on and off in the browser and in the shop', async () => {
  expect(await readPushState()).toBe('off');
  expect(await startPush(api, 'key')).toBe('on');
  expect(await readPushState()).toBe('on');
  await stopPush(api);
  expect(requests).toEqual(['POST /api/pushSubscriptions', `DELETE /api/pushSubscriptions/${id(9)}`]);
  expect([...items]).toEqual([]);
  expect(subscription).toBeNull();
  expect(await readPushState()).toBe('off');
});

test('a subscription that the shop refuses ends in the browser', async () => {
  subscribed = Response.json(
    { title: 'Invalid input', status: 422, code: 'invalid_input', detail: 'Unknown push service.' },
    { status: 422 },
  );
  await expect(startPush(api, 'key')).rejects.toThrow('Unknown push service.');
  expect(subscription).toBeNull();
  expect(await readPushState()).toBe('off');
});

test('without the permission nothing is subscribed', async () => {
  stubBrowser('denied');
  expect(await startPush(api, 'key')).toBe('denied');
  expect(requests).toEqual([]);
  expect(await readPushState()).toBe('denied');
});

test('a browser without push messages is told apart', async () => {
  vi.stubGlobal('navigator', {});
  expect(await readPushState()).toBe('unsupported');
  await closeSeenMessages(api);
  expect(requests).toEqual([]);
});
