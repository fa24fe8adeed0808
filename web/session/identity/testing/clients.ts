import { afterEach, beforeEach, vi } from 'vitest';
import type { Environment } from '../environment.ts';
import { fakeEnvironment, type OpenedClient, openClient } from './environment.ts';

export const MINUTE = 60_000;
export const START = Date.parse('2026-11-20T12:00:00Z');
export const PASSWORD = 'Secret#1';

let clients: OpenedClient[] = [];

/** Runs the tests of a file with fake timers that begin at {@link START}, and disposes their clients. */
export function setUpClients(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    for (const client of clients) client.dispose();
    clients = [];
    vi.useRealTimers();
  });
}

/** Opens a client in a browser of its own. @param parts the parts of the browser that differ */
export function open(parts: Partial<Environment> = {}) {
  const fake = fakeEnvironment(parts);
  const client = openClient(fake.environment);
  clients.push(client);
  return { ...fake, client };
}

/** Opens a client and signs Ann in. */
export async function signedIn(parts: Partial<Environment> = {}) {
  const opened = open(parts);
  await opened.client.signIn('ann@mail.example', PASSWORD);
  await settle();
  return opened;
}

/** Lets promises and zero-length timers settle. */
export const settle = () => vi.advanceTimersByTimeAsync(1);
export const offline = () => Promise.reject(new TypeError('Failed to fetch'));
