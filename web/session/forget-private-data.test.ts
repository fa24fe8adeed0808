import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirmSignOut, forgetPrivateData } from './forget-private-data.ts';

/** A storage whose entries are its properties, as those of a browser are. */
class FakeStorage {
  [key: string]: unknown;
  constructor(entries: Record<string, string>) {
    Object.assign(this, entries);
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

test('where storage is forbidden, what is open is told nevertheless', () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, undefined);
  forgetPrivateData();
  expect(confirmSignOut()).toBe(true);
  expect(announce).toHaveBeenCalledOnce();
});

test('the measurement of a draft is not a draft', () => {
  vi.stubGlobal('localStorage', new FakeStorage({}));
  vi.stubGlobal(
    'sessionStorage',
    new FakeStorage({ 'coomercioMeasured:coomercioDraft:ana@people.example:new-laptop': 'd' }),
  );
  expect(confirmSignOut()).toBe(true);
});

test.each([
  [{ 'coomercioMessages:ana@people.example:one:key': '{}' }, {}, true],
  [{ 'coomercioMessages:typed:ana@people.example:one': '{}' }, {}, true],
  [{}, { 'coomercioDraft:ana@people.example:new-laptop': '{}' }, true],
  [{ coomercioTheme: 'dark' }, { coomercioCompared: '[]' }, false],
])('the browser asks before a sign-out when something was typed: %o and %o', (local, session, asks) => {
  const ask = vi.fn(() => false);
  vi.stubGlobal('localStorage', new FakeStorage(local));
  vi.stubGlobal('sessionStorage', new FakeStorage(session));
  vi.stubGlobal('confirm', ask);
  expect(confirmSignOut()).toBe(!asks);
  expect(ask).toHaveBeenCalledTimes(asks ? 1 : 0);
});
