import { vi } from 'vitest';
import { fakeStorage } from './environment.ts';

/** A request to IndexedDB that succeeds. */
export function fakeRequest(result: unknown) {
  const request = { result, onsuccess: () => {} };
  queueMicrotask(() => request.onsuccess());
  return request;
}

/** Replaces the browser's stores by ones without a sign-in. Without them, reading fails. */
export function stubEmptyStores(): void {
  const database = { transaction: () => ({ objectStore: () => ({ get: () => fakeRequest(undefined) }) }) };
  vi.stubGlobal('indexedDB', { open: () => fakeRequest(database) });
  vi.stubGlobal('localStorage', fakeStorage().storage);
  vi.stubGlobal('sessionStorage', fakeStorage().storage);
}
