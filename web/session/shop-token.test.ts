import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { fakeStorage, HOUR, idToken } from './identity/testing/environment.ts';
import { createShopToken } from './shop-token.ts';
import { email, fakeShop } from './testing/fakes.ts';

/** Tabs of one browser: they share the storage and the locks. */
function tabs(count: number) {
  const shop = fakeShop();
  shop.records.set(email, {});
  const { storage } = fakeStorage();
  const answered = { when: Promise.resolve() };
  const fetch = async (url: string, init: RequestInit) => {
    const response = await shop.fetch(url, init);
    await answered.when;
    return response;
  };
  const all = Array.from({ length: count }, () => {
    let present = '';
    const tab = createShopToken(
      { fetch, localStorage: () => storage },
      {
        email: () => email,
        getIdToken: async () => present,
      },
    );
    return {
      ...tab,
      /** Exchanges an ID token. */
      exchange(idToken: string, force = false) {
        present = idToken;
        return tab.exchange(force);
      },
    };
  });
  /** Holds the shop's responses back. @returns delivers them */
  function holdResponses(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered.when = promise;
    return resolve;
  }
  return { shop, storage, all, holdResponses };
}

const signatureOf = (token: string) => token.split('.').at(-1);

test('exchanges a new ID token in one tab and reuses the result in the others', async () => {
  const { shop, all } = tabs(5);
  await Promise.all(all.map((tab) => tab.exchange('first')));
  expect(shop.asked).toHaveLength(1);
  await Promise.all(all.map((tab) => tab.exchange('second')));
  expect(shop.asked).toHaveLength(2);
  expect(all.map((tab) => tab.read())).toEqual(Array(5).fill('shop-token for second'));
});

test('does not reuse a token that the shop has rejected', async () => {
  const { shop, all } = tabs(2);
  const [here, there] = all;
  await here?.exchange('first');
  await there?.exchange('first', true);
  expect(shop.asked).toHaveLength(2);
});

test('exchanges again in a tab that is opened later, to check the account', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { shop, all } = tabs(2);
  const [here, there] = all;
  await here?.exchange('first');
  vi.setSystemTime(Date.now() + 30_000);
  await there?.exchange('first');
  expect(shop.asked).toHaveLength(2);
  vi.useRealTimers();
});

test('reuses a token after the clock was set back by a second', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { shop, all } = tabs(2);
  const [here, there] = all;
  await here?.exchange('first');
  vi.setSystemTime(Date.now() - 1_000);
  await there?.exchange('first');
  expect(shop.asked).toHaveLength(1);
  vi.useRealTimers();
});

test('does not reuse another user’s token', async () => {
  const { shop, storage, all } = tabs(2);
  const [here, there] = all;
  await here?.exchange('ada');
  await there?.exchange('bea');
  expect(shop.asked).toHaveLength(2);
  expect(storage.getItem('coomercioToken')).toBe('shop-token for bea');
});

test('reuses the token of a newer ID token in a tab that still has the older one', async () => {
  const { shop, all } = tabs(3);
  const [here, there, late] = all;
  const [older, newer] = [idToken(HOUR, Date.now() - HOUR / 2), idToken()];
  await Promise.all([here?.exchange(older), there?.exchange(newer), late?.exchange(older)]);
  expect(shop.asked).toHaveLength(2);
  expect(late?.read()).toBe(`shop-token for ${signatureOf(newer)}`);
});

test('shares the token of an ID token that is renewed meanwhile with tabs that have no newer one', async () => {
  const { shop, all, holdResponses } = tabs(2);
  const [here, there] = all;
  const deliver = holdResponses();
  const [older, newer] = [idToken(HOUR, Date.now() - HOUR / 2), idToken()];
  const exchanges = [here?.exchange(older), there?.exchange(older)];
  await vi.waitFor(() => expect(shop.asked).toHaveLength(1), 60_000);
  exchanges.push(here?.exchange(newer));
  // Until `here` has requested the exchange.
  await setImmediate();
  deliver();
  await Promise.all(exchanges);
  expect(shop.asked).toHaveLength(2);
  expect(there?.read()).toBe(`shop-token for ${signatureOf(newer)}`);
});

test('drops the token of a user who was replaced meanwhile', async () => {
  const { shop, storage, all, holdResponses } = tabs(1);
  const [here] = all;
  const deliver = holdResponses();
  const replaced = here?.exchange(idToken(HOUR, Date.now(), 'ada'));
  await vi.waitFor(() => expect(shop.asked).toHaveLength(1), 60_000);
  const present = here?.exchange(idToken(HOUR, Date.now(), 'bea'));
  await setImmediate();
  deliver();
  await replaced;
  expect(storage.getItem('coomercioToken')).toBeNull();
  await present;
});

test('drops the token of a session that has ended, also when the same user has signed in again', async () => {
  const { shop, all, holdResponses } = tabs(1);
  const [here] = all;
  const deliver = holdResponses();
  const ended = here?.exchange(idToken(HOUR, Date.now() - HOUR / 2));
  await vi.waitFor(() => expect(shop.asked).toHaveLength(1), 60_000);
  here?.clear();
  shop.reachable = false;
  const failing = here?.exchange(idToken());
  await setImmediate();
  deliver();
  await ended;
  await expect(failing).rejects.toThrow();
  expect(here?.read()).toBeNull();
});

test('does not reuse the token of another user’s newer ID token', async () => {
  const { shop, all } = tabs(2);
  const [here, there] = all;
  await here?.exchange(idToken(HOUR, Date.now(), 'bea'));
  const mine = idToken(HOUR, Date.now() - HOUR / 2, 'ada');
  await there?.exchange(mine);
  expect(shop.asked).toHaveLength(2);
  expect(there?.read()).toBe(`shop-token for ${signatureOf(mine)}`);
});
