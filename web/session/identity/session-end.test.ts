import { describe, expect, it, vi } from 'vitest';
import { resetPassword } from '#contract/identity/account.ts';
import { createMemoryStore, type Store } from './persistence.ts';
import { MINUTE, offline, open, PASSWORD, settle, setUpClients, signedIn } from './testing/clients.ts';
import { ann, HOUR, json, refusal, tabGroup } from './testing/environment.ts';

setUpClients();

describe('a session that has ended', () => {
  it.each([
    [403, 'user_disabled'],
    [401, 'session_ended'],
  ])('with %i %s signs out this tab and the others, and keeps the reason', async (status, code) => {
    const reason = 'The provider’s sentence.';
    const [group, store] = [tabGroup(), createMemoryStore()];
    const { client, provider } = await signedIn({ openTabChannel: group.join(), stores: [store] });
    const other = open({ openTabChannel: group.join(), stores: [store] });
    expect((await other.client.whenKnown())?.uid).toBe('ann');

    provider.answer = () => refusal(status, code, reason);
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    for (const { state } of [client, other.client]) expect(state()).toMatchObject({ user: null, reason });
    expect(await store.read()).toBeNull();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(provider.issued).toBe(1);

    provider.answer = () => null;
    await client.signIn('ann@mail.example', PASSWORD);
    expect(client.state()?.reason).toBeNull();
  });

  it.each([
    [403, 'user_disabled', 'user_disabled'],
    [401, 'session_ended', 'session_ended'],
  ])('with %i %s rejects a pending token request', async (status, code, expected) => {
    const { client, provider } = await signedIn();
    provider.answer = () => refusal(status, code, 'This account is disabled.');
    await expect(client.getIdToken(true)).rejects.toMatchObject({
      code: expected,
      message: 'This account is disabled.',
    });
  });

  it('by a password reset in this browser is noticed at once', async () => {
    const { client, provider } = await signedIn();
    provider.answer = ({ path }) =>
      path === '/password/reset' ? json(200, { success: true }) : refusal(401, 'session_ended');
    await client.call(resetPassword, { body: { token: 'from the email', password: PASSWORD } });
    expect(client.state()).toEqual({ user: null, reason: 'A sentence.' });
  });

  it('keeps a newer sign-in of another tab', async () => {
    const [group, store] = [tabGroup(), createMemoryStore()];
    const { client, provider } = await signedIn({ openTabChannel: group.join(), stores: [store] });
    const mine = await store.read();
    await store.write({ ...Object(mine), sessionToken: 'newer', profile: { ...ann, uid: 'bea' } });
    provider.answer = () => refusal(401, 'session_ended');
    await expect(client.getIdToken(true)).rejects.toMatchObject({ code: 'session_ended' });
    expect(client.state()).toMatchObject({ user: { uid: 'bea' }, reason: null });
    expect(await store.read()).toMatchObject({ sessionToken: 'newer' });
  });
});

describe('signing out', () => {
  it('takes effect in this tab even when the provider fails', async () => {
    const store = createMemoryStore();
    const { client, provider } = await signedIn({ stores: [store] });
    provider.answer = offline;
    await expect(client.signOut()).rejects.toMatchObject({ code: 'network' });
    expect(client.state()).toMatchObject({ user: null, reason: null });
    expect(await store.read()).toBeNull();
  });

  it('offline ends the session at the provider once the browser is online again', async () => {
    const online = Promise.withResolvers<void>();
    const { client, provider } = await signedIn({ whenOnline: () => online.promise });
    const signingOut = client.signOut();
    await settle();
    expect(client.state()?.user).toBeNull();
    const paths = () => provider.requests.map(({ path }) => path);
    expect(paths()).not.toContain('/sign-out');
    online.resolve();
    await signingOut;
    expect(paths()).toContain('/sign-out');
  });

  it('is not undone by a slow write of the sign-in', async () => {
    const store = createMemoryStore();
    const slow: Store = {
      ...store,
      async write(value) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await store.write(value);
      },
    };
    const { client } = open({ stores: [slow] });
    await client.whenKnown();
    const signingIn = client.signIn('ann@mail.example', PASSWORD);
    await settle();
    expect(client.state()?.user?.uid).toBe('ann');
    const signingOut = client.signOut();
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all([signingIn, signingOut]);
    expect(client.state()?.user).toBeNull();
    expect(await store.read()).toBeNull();
  });

  it('does nothing without a session', async () => {
    const { client, provider } = open();
    await client.whenKnown();
    await client.signOut();
    expect(provider.requests).toEqual([]);
  });
});
