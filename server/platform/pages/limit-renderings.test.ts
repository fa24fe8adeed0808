import { expect, onTestFinished, test, vi } from 'vitest';
import { createTimeBudget } from '../http/time-budget.ts';
import { createRenderingLimit } from './limit-renderings.ts';

const present = new AbortController().signal;

/** Renderings that end when the test says so. */
function start() {
  const limit = createRenderingLimit(createTimeBudget(() => 0));
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const render = (address: string) =>
    limit({ address, signal: present, isCharged: true }, async () => {
      started.push(address);
      const end = Promise.withResolvers<void>();
      ends.push(end.resolve);
      await end.promise;
      return `for ${address}`;
    });
  return { limit, started, render, ends };
}

test('renderings of all addresses together are bounded, and those that wait take turns by address', async () => {
  // No rendering is refused for having waited too long on a slow machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { started, render, ends } = start();
  const flood = Array.from({ length: 24 * 10 }, (_, at) => {
    const address = `198.51.100.${at % 24}`;
    return render(address).catch(({ code }: { code: string }) => code);
  });
  const visitor = render('203.0.113.1');
  expect(started).toHaveLength(6);
  for (let ended = 0; !started.includes('203.0.113.1'); ended += 1) {
    // Each of the other addresses has at most one turn before.
    expect(ended).toBeLessThanOrEqual(25);
    ends[ended]?.();
    await new Promise(setImmediate);
    expect(started).toHaveLength(6 + ended + 1);
  }
  for (let at = 0; at < 240; at += 1) {
    ends[at]?.();
    await new Promise(setImmediate);
  }
  expect(await visitor).toBe('for 203.0.113.1');
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(240 + 1 - 200 - 6);
});

test('an error of a rendering reaches its request, and ends its turn', async () => {
  const { limit } = start();
  const fail = () =>
    limit({ address: '203.0.113.1', signal: present, isCharged: true }, () =>
      Promise.reject(new Error('broken')),
    );
  for (let at = 0; at < 10; at += 1) await expect(fail()).rejects.toThrow('broken');
});
