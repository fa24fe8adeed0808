import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from './persistence.ts';
import { settle, setUpClients } from './testing/clients.ts';
import { ann, fakeEnvironment, json, openClient, tabGroup } from './testing/environment.ts';

setUpClients();

/** Tabs of one browser, whose shop exchanges an ID token when the test lets it. */
function openTabs(count: number) {
  const [store, group] = [createMemoryStore(), tabGroup()];
  const { provider } = fakeEnvironment();
  const asked: string[] = [];
  let answered = Promise.resolve();
  const tabs = Array.from({ length: count }, () => {
    const { environment } = fakeEnvironment({
      fetch: provider.fetch,
      stores: [store],
      openTabChannel: group.join(),
    });
    return openClient(environment, undefined, async (idToken) => {
      asked.push(idToken);
      const number = asked.length;
      await answered;
      return `shop-token ${number}`;
    });
  });
  /** Holds the shop's answers back. @returns delivers them */
  function holdAnswers(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    return resolve;
  }
  const tokens = () => tabs.map((tab) => tab.present()?.shopToken);
  return { provider, tabs, asked, holdAnswers, tokens };
}

async function signedInTabs(count: number) {
  const opened = openTabs(count);
  const [first] = opened.tabs;
  if (first === undefined) throw new Error('No tab was opened.');
  await first.whenKnown();
  await first.signIn('ann@mail.example', 'Secret#1');
  await settle();
  return { ...opened, first };
}

describe('the shop’s token', () => {
  it('is requested by one tab for each new ID token, and the others use it', async () => {
    const { tabs, first, asked, tokens } = await signedInTabs(5);
    await Promise.all(tabs.map((tab) => tab.exchange()));
    await settle();
    expect(asked).toHaveLength(1);
    expect(tokens()).toEqual(Array(5).fill('shop-token 1'));
    await first.getIdToken(true);
    await settle();
    expect(tokens()).toEqual(Array(5).fill('shop-token 1'));
    await Promise.all(tabs.map((tab) => tab.exchange()));
    await settle();
    expect(tokens()).toEqual(Array(5).fill('shop-token 2'));
  });

  it('is requested again with a new ID token after the shop has rejected it', async () => {
    const { first, asked, provider } = await signedInTabs(1);
    await first.exchange();
    await first.exchange(true);
    expect(asked).toHaveLength(2);
    expect(provider.issued).toBe(1);
  });

  it('is requested again for an ID token that was renewed meanwhile', async () => {
    const { first, asked, holdAnswers, tokens } = await signedInTabs(1);
    const deliver = holdAnswers();
    const exchange = first.exchange();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    const renewed = await first.getIdToken(true);
    deliver();
    await exchange;
    expect(asked.at(-1)).toBe(renewed);
    expect(tokens()).toEqual(['shop-token 2']);
  });

  it('of a session that ended meanwhile is dropped, also when its user has signed in again', async () => {
    const { first, asked, holdAnswers, tokens } = await signedInTabs(1);
    const deliver = holdAnswers();
    const exchange = expect(first.exchange()).rejects.toMatchObject({ code: 'not_signed_in' });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await first.signOut();
    deliver();
    await exchange;
    await first.signIn('ann@mail.example', 'Secret#1');
    expect(tokens()).toEqual([null]);
  });

  it('of another user is not used', async () => {
    const { first, provider, tokens } = await signedInTabs(1);
    await first.exchange();
    provider.answer = ({ path }) =>
      path === '/sign-in/email'
        ? json(200, { sessionToken: 'bea', idToken: first.present()?.idToken, user: { ...ann, uid: 'bea' } })
        : null;
    await first.signIn('bea@mail.example', 'Secret#1');
    expect(tokens()).toEqual([null]);
  });
});
