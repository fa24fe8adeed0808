import { expect, it, vi } from 'vitest';
import { type Announcement, createChannelTabs, createStorageTabs } from './tabs.ts';

const signedOut: Announcement = { kind: 'signed-out', at: 1, reason: null };

it('sends announcements over a BroadcastChannel to other tabs only', async () => {
  const [here, there] = [
    createChannelTabs(() => new BroadcastChannel('test')),
    createChannelTabs(() => new BroadcastChannel('test')),
  ];
  const mine = vi.fn();
  const stopMine = here.listen(mine);
  const heard = await new Promise((resolve) => {
    const stop = there.listen((announcement) => {
      stop();
      resolve(announcement);
    });
    here.announce(signedOut);
  });
  stopMine();
  expect(heard).toEqual(signedOut);
  expect(mine).not.toHaveBeenCalled();
});

/** Two tabs on one local storage: writing raises an event in the other tab if the value differs. */
function storagePair() {
  const items = new Map<string, string>();
  const listeners = new Map<string, (change: { key: string | null; newValue: string | null }) => void>();
  const tab = (name: string) => {
    const storage = {
      setItem(key: string, newValue: string) {
        if (items.get(key) === newValue) return;
        items.set(key, newValue);
        for (const [other, listener] of listeners) if (other !== name) listener({ key, newValue });
      },
    };
    return createStorageTabs(
      'announcement',
      () => Object.assign(Object.create(null), storage),
      (listener) => {
        listeners.set(name, listener);
        return () => listeners.delete(name);
      },
    );
  };
  return { here: tab('here'), there: tab('there'), listeners };
}

it('sends announcements over storage events, even identical ones', () => {
  const { here, there } = storagePair();
  const heard = vi.fn();
  there.listen(heard);
  here.announce({ kind: 'changed' });
  here.announce({ kind: 'changed' });
  expect(heard.mock.calls).toEqual([[{ kind: 'changed' }], [{ kind: 'changed' }]]);
});

it('reports cleared storage and ignores other keys and invalid values', () => {
  const { there, listeners } = storagePair();
  const heard = vi.fn();
  const stop = there.listen(heard);
  const raise = (key: string | null, newValue: string | null) => listeners.get('there')?.({ key, newValue });
  raise('other', '{"kind":"changed"}');
  raise('announcement', null);
  raise('announcement', '{"kind":"unheard of"}');
  raise('announcement', '{"kind":');
  expect(heard).not.toHaveBeenCalled();
  raise(null, null);
  expect(heard).toHaveBeenCalledExactlyOnceWith({ kind: 'changed' });
  stop();
  expect(listeners.size).toBe(0);
});
