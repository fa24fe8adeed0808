import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore, type Store } from './persistence.ts';
import { openTabChannel } from './sign-in-lookup.ts';
import { open, PASSWORD, settle, setUpClients } from './testing/clients.ts';
import { ann, idToken, tabGroup } from './testing/environment.ts';

it('sends messages over a BroadcastChannel to other tabs only', async () => {
  const received = Promise.withResolvers<unknown>();
  const mine = vi.fn();
  const here = openTabChannel(mine);
  const there = openTabChannel(received.resolve);
  here.postMessage({ kind: 'changed' });
  expect(await received.promise).toEqual({ kind: 'changed' });
  expect(mine).not.toHaveBeenCalled();
  here.close();
  there.close();
});

it('sends nothing where the browser forbids the channel', () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new Error('SecurityError');
      }
    },
  );
  const channel = openTabChannel(() => {});
  channel.postMessage({ kind: 'changed' });
  channel.close();
  vi.unstubAllGlobals();
});

describe('other tabs', () => {
  setUpClients();

  function twoTabs(stores: () => readonly Store[]) {
    const group = tabGroup();
    return [
      open({ openTabChannel: group.join(), stores: stores() }),
      open({ openTabChannel: group.join(), stores: stores() }),
    ] as const;
  }
  const shared = () => {
    const store = createMemoryStore();
    return () => [store];
  };

  it('are signed in by a sign-in in this tab, with the same session', async () => {
    const [here, there] = twoTabs(shared());
    await there.client.whenKnown();
    await here.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    expect(there.client.state()).toMatchObject({ user: { uid: 'ann' } });
    expect(there.provider.requests).toEqual([]);
  });

  it('are signed out by a sign-out in this tab', async () => {
    const [here, there] = twoTabs(shared());
    await here.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    await here.client.signOut();
    await settle();
    expect(there.client.state()).toMatchObject({ user: null, reason: null });
    expect(here.provider.requests.at(-1)).toMatchObject({ path: '/sign-out', token: 'Bearer session' });
  });

  it('are signed out even when each stores its own sign-in', async () => {
    const [here, there] = twoTabs(() => [createMemoryStore()]);
    await here.client.signIn('ann@mail.example', PASSWORD);
    await there.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    await here.client.signOut();
    await settle();
    expect(there.client.state()?.user).toBeNull();
  });

  it('share the ID token that one of them requested', async () => {
    const [here, there] = twoTabs(shared());
    await here.client.signIn('ann@mail.example', PASSWORD);
    await settle();
    const fresh = await here.client.getIdToken(true);
    await settle();
    expect(await there.client.getIdToken()).toBe(fresh);
    expect(there.provider.issued).toBe(0);
  });

  it('are signed in after a sign-out that a sign-in follows immediately', async () => {
    const [here, there] = twoTabs(shared());
    await here.client.signIn('ann@mail.example', PASSWORD);
    await here.client.signOut();
    here.provider.answer = ({ path }) =>
      path === '/sign-in/email'
        ? Response.json({ sessionToken: 'second', idToken: idToken(), user: { ...ann, uid: 'bea' } })
        : null;
    await here.client.signIn('bea@mail.example', PASSWORD);
    await settle();
    expect(there.client.state()?.user?.uid).toBe('bea');
    expect(here.client.state()?.user?.uid).toBe('bea');
  });
});
