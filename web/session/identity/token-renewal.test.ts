import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryStore } from './persistence.ts';
import {
  fakeEnvironment,
  HOUR,
  idToken,
  type OpenedClient,
  openClient,
  refusal,
  tabGroup,
} from './testing/environment.ts';

const MINUTE = 60_000;

let clients: OpenedClient[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') });
});
afterEach(() => {
  for (const client of clients) client.dispose();
  clients = [];
  vi.useRealTimers();
});

/** Returns a browser whose tabs share the store, the announcements and the provider. */
function createBrowser() {
  const { provider } = fakeEnvironment();
  const [store, group] = [createMemoryStore(), tabGroup()];
  return {
    provider,
    store,
    open() {
      const { environment } = fakeEnvironment({
        fetch: provider.fetch,
        stores: [store],
        openTabChannel: group.join(),
      });
      const client = openClient(environment);
      clients.push(client);
      return client;
    },
  };
}

it('renews the ID token in one of five tabs, and the others reuse it', async () => {
  const { provider, open } = createBrowser();
  await open().signIn('ann@mail.example', 'Secret#1');
  for (let count = 0; count < 4; count += 1) open();
  await vi.advanceTimersByTimeAsync(MINUTE);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(provider.issued).toBe(1);
  const tokens = await Promise.all(clients.map((client) => client.getIdToken()));
  expect(new Set(tokens).size).toBe(1);
  expect(provider.issued).toBe(1);
});

it('requests one ID token for five tabs that open at once', async () => {
  const { provider, open } = createBrowser();
  await open().signIn('ann@mail.example', 'Secret#1');
  clients.pop()?.dispose();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  for (let count = 0; count < 5; count += 1) open();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(clients.map((client) => client.state()?.user?.uid)).toEqual(Array(5).fill('ann'));
  expect(provider.issued).toBe(1);
});

it('passes the lock to the next tab after a failed request', async () => {
  const { provider, open } = createBrowser();
  const here = open();
  await here.signIn('ann@mail.example', 'Secret#1');
  const there = open();
  await vi.advanceTimersByTimeAsync(MINUTE);
  let refusals = 1;
  provider.answer = ({ path }) =>
    path === '/token' && refusals-- > 0 ? refusal(503, 'identity_unavailable') : null;
  const answers = Promise.allSettled([here, there].map((client) => client.getIdToken(true)));
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('does not reuse a token of another sign-in', async () => {
  const { provider, store, open } = createBrowser();
  const client = open();
  await client.signIn('ann@mail.example', 'Secret#1');
  await vi.advanceTimersByTimeAsync(1);
  const mine = Object(await store.read());
  await store.write({ ...mine, sessionToken: 'another', idToken: idToken() });
  await client.getIdToken(true);
  expect(provider.issued).toBe(1);
});
