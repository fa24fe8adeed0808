import { expect, it, vi } from 'vitest';
import { openTabChannel } from './sign-in-lookup.ts';

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
