import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from './persistence.ts';
import { MINUTE, offline, open, START, settle, setUpClients, signedIn } from './testing/clients.ts';
import { type fakeEnvironment, HOUR, refusal } from './testing/environment.ts';

setUpClients();

describe('opening the page again', () => {
  async function visitAfter(
    milliseconds: number,
    answer: ReturnType<typeof fakeEnvironment>['provider']['answer'],
  ) {
    const store = createMemoryStore();
    (await signedIn({ stores: [store] })).client.dispose();
    await vi.advanceTimersByTimeAsync(milliseconds);
    const visit = open({ stores: [store] });
    visit.provider.answer = answer;
    return { ...visit, store };
  }

  it('restores a recent sign-in without a request', async () => {
    const { client, provider } = await visitAfter(MINUTE, offline);
    expect((await client.whenKnown())?.displayName).toBe('Ann');
    expect(provider.requests).toEqual([]);
  });

  it('restores an older sign-in and checks it with the provider', async () => {
    const { client, provider } = await visitAfter(10 * MINUTE, () => refusal(403, 'user_disabled'));
    expect((await client.whenKnown())?.uid).toBe('ann');
    await settle();
    expect(provider.issued).toBe(1);
    expect(client.state()).toMatchObject({ user: null, reason: 'A sentence.' });
  });

  it('renews an expired ID token first', async () => {
    const { client, provider } = await visitAfter(2 * HOUR, () => null);
    expect((await client.whenKnown())?.uid).toBe('ann');
    await client.getIdToken();
    expect(provider.issued).toBe(1);
    await client.getIdToken();
    expect(provider.issued).toBe(1);
  });

  it('signs out when the stored session has ended', async () => {
    const { client, store } = await visitAfter(2 * HOUR, () => refusal(401, 'session_ended'));
    await client.whenKnown();
    await expect(client.getIdToken()).rejects.toMatchObject({ code: 'session_ended' });
    expect(client.state()).toEqual({ user: null, reason: 'A sentence.' });
    await settle();
    expect(await store.read()).toBeNull();
  });

  it('stays signed in without a connection, and retries', async () => {
    const { client, provider } = await visitAfter(2 * HOUR, offline);
    expect((await client.whenKnown())?.uid).toBe('ann');
    await expect(client.getIdToken()).rejects.toMatchObject({
      code: 'network',
    });
    provider.answer = () => null;
    await vi.advanceTimersByTimeAsync(30_000);
    const asked = provider.issued;
    await client.getIdToken();
    expect(provider.issued).toBe(asked);
  });

  it('renews a token whose remaining time exceeds its lifetime, after the clock was set back', async () => {
    const store = createMemoryStore();
    (await signedIn({ stores: [store] })).client.dispose();
    vi.setSystemTime(START - 24 * HOUR);
    const { client, provider } = open({ stores: [store] });
    await client.whenKnown();
    await client.getIdToken();
    expect(provider.issued).toBe(1);
  });

  it('ignores invalid stored values', async () => {
    for (const rubbish of ['text', 7, {}, { version: 2 }, { version: 1, sessionToken: 'x' }]) {
      const store = createMemoryStore();
      await store.write(rubbish);
      expect(await open({ stores: [store] }).client.whenKnown()).toBeNull();
    }
  });
});
