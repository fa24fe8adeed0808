import { expect, test, vi } from 'vitest';
import { fakeStorage, HOUR, idToken } from './identity/testing/environment.ts';
import { createShopToken } from './shop-token.ts';
import { email, fakeShop } from './testing/fakes.ts';

/** Tabs of one browser: they share the storage and the locks. */
function tabs(count: number) {
  const shop = fakeShop();
  shop.records.set(email, {});
  const { storage } = fakeStorage();
  const fetch = (url: string, init: RequestInit) => shop.fetch(url, init);
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
  return { shop, storage, all };
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

test('does not reuse the token of another user’s newer ID token', async () => {
  const { shop, all } = tabs(2);
  const [here, there] = all;
  await here?.exchange(idToken(HOUR, Date.now(), 'bea'));
  const mine = idToken(HOUR, Date.now() - HOUR / 2, 'ada');
  await there?.exchange(mine);
  expect(shop.asked).toHaveLength(2);
  expect(there?.read()).toBe(`shop-token for ${signatureOf(mine)}`);
});
