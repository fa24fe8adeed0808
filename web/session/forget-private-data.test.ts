import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createDraft } from '../forms/draft.ts';
import { announceDrafts, confirmSignOut, forgetPrivateData } from './forget-private-data.ts';
import { claimPrivateData } from './private-data-owner.ts';

/** A storage whose entries are its properties, as those of a browser are. */
class FakeStorage {
  [key: string]: unknown;
  constructor(entries: Record<string, string>) {
    Object.assign(this, entries);
    Object.defineProperty(this, 'setItem', {
      value: (key: string, text: string) => Object.assign(this, { [key]: text }),
    });
    Object.defineProperty(this, 'getItem', { value: (key: string) => this[key] ?? null });
    Object.defineProperty(this, 'removeItem', { value: (key: string) => Reflect.deleteProperty(this, key) });
  }
}

const announce = vi.fn();

beforeEach(() => {
  announce.mockReset();
  vi.stubGlobal('dispatchEvent', announce);
  vi.stubGlobal('StorageEvent', class extends Event {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('everything but settings and the sign-in is removed, and announced to what is open', () => {
  const settings = {
    coomercioTheme: 'dark',
    coomercioDevice: 'd',
    coomercioIdentity: 's',
    coomercioPush: 'ended by endPush',
  };
  const local = new FakeStorage({
    ...settings,
    'coomercioMessages:ana@people.example:one': '{}',
    coomercioRecentlySeen: '[]',
    'something else': 'of another program on this origin',
  });
  const session = new FakeStorage({
    'coomercioDraft:ana@people.example:new-laptop': '{}',
    coomercioCompared: '[]',
  });
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
  forgetPrivateData();
  expect({ ...local }).toEqual({ ...settings, 'something else': 'of another program on this origin' });
  expect({ ...session }).toEqual({});
  expect(announce).toHaveBeenCalledOnce();
});

test('where storage is forbidden, what is open is told nevertheless', async () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, undefined);
  forgetPrivateData();
  expect(await confirmSignOut()).toBe(true);
  expect(announce).toHaveBeenCalledOnce();
});

test('the measurement of a draft is not a draft', async () => {
  vi.stubGlobal('localStorage', new FakeStorage({}));
  vi.stubGlobal(
    'sessionStorage',
    new FakeStorage({ 'coomercioMeasured:coomercioDraft:ana@people.example:new-laptop': 'd' }),
  );
  expect(await confirmSignOut()).toBe(true);
});

test.each([
  [{ 'coomercioMessages:ana@people.example:one:key': '{}' }, {}, true],
  [{ 'coomercioMessages:typed:ana@people.example:one': '{}' }, {}, true],
  [{}, { 'coomercioDraft:ana@people.example:new-laptop': '{}' }, true],
  [{ coomercioTheme: 'dark' }, { coomercioCompared: '[]' }, false],
])('the browser asks before a sign-out when something was typed: %o and %o', async (local, session, asks) => {
  const ask = vi.fn(() => false);
  vi.stubGlobal('localStorage', new FakeStorage(local));
  vi.stubGlobal('sessionStorage', new FakeStorage(session));
  vi.stubGlobal('confirm', ask);
  expect(await confirmSignOut()).toBe(!asks);
  expect(ask).toHaveBeenCalledTimes(asks ? 1 : 0);
});

test('a sign-out asks for what another tab keeps, until it is discarded', async () => {
  const ask = vi.fn(() => false);
  vi.stubGlobal('confirm', ask);
  vi.stubGlobal('localStorage', new FakeStorage({}));
  const ownTab = new FakeStorage({});
  const otherTab = new FakeStorage({});
  const inTab = <Result>(tab: FakeStorage, action: () => Result): Result => {
    vi.stubGlobal('sessionStorage', tab);
    return action();
  };
  const key = 'coomercioDraft:ana@people.example:new-laptop';
  const draft = createDraft(key, z.object({ name: z.string() }));
  inTab(otherTab, () => draft.save({ name: 'EliteBook' }));
  await expect.poll(() => inTab(ownTab, confirmSignOut)).toBe(false);
  inTab(otherTab, () => draft.discard());
  await expect.poll(() => inTab(ownTab, confirmSignOut)).toBe(true);

  // Left by the page that was in the tab before a reload.
  Object.assign(otherTab, { [key]: '{}' });
  inTab(otherTab, announceDrafts);
  await expect.poll(() => inTab(ownTab, confirmSignOut)).toBe(false);
  inTab(otherTab, forgetPrivateData);
  await expect.poll(() => inTab(ownTab, confirmSignOut)).toBe(true);
  expect(ask).toHaveBeenCalled();
});

describe('what a person left whose session ended otherwise than by a sign-out', () => {
  const drafts = { 'coomercioDraft:ana@people.example:new-laptop': '{}' };
  let local: FakeStorage;
  let session: FakeStorage;
  beforeEach(() => {
    local = new FakeStorage({ coomercioDevice: 'd' });
    session = new FakeStorage({});
    vi.stubGlobal('localStorage', local);
    vi.stubGlobal('sessionStorage', session);
    claimPrivateData('ana');
    local.coomercioRecentlySeen = '[]';
    Object.assign(session, drafts);
  });

  test('stays for the same person', () => {
    claimPrivateData('ana');
    expect(local.coomercioRecentlySeen).toBe('[]');
    expect(session).toMatchObject(drafts);
    expect(announce).not.toHaveBeenCalled();
  });

  test('is removed when another one signs in, who is not asked about it on sign-out', async () => {
    claimPrivateData('bert');
    expect({ ...local }).toEqual({ coomercioDevice: 'd', coomercioOwner: 'bert' });
    expect({ ...session }).toEqual({ coomercioOwner: 'bert' });
    expect(announce).toHaveBeenCalled();
    vi.stubGlobal('confirm', () => false);
    await expect.poll(confirmSignOut).toBe(true);
  });

  test('is removed from another tab, which leaves alone what the new person keeps', () => {
    vi.stubGlobal('sessionStorage', new FakeStorage({}));
    claimPrivateData('bert');
    Object.assign(local, { 'coomercioMessages:bert@people.example:one:key': '{}' });
    vi.stubGlobal('sessionStorage', session);
    claimPrivateData('bert');
    expect({ ...session }).toEqual({ coomercioOwner: 'bert' });
    expect(local).toHaveProperty('coomercioMessages:bert@people.example:one:key');
  });

  test('stays of a visitor who then signs in', () => {
    forgetPrivateData();
    local.coomercioRecentlySeen = '[]';
    claimPrivateData('bert');
    expect(local.coomercioRecentlySeen).toBe('[]');
  });
});
