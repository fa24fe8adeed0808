import { expect, test, vi } from 'vitest';
import { createDeviceTokenSource } from './device-token.ts';
import { fakeStorage } from './testing/environment.ts';

test('creates the token once and keeps it for later visits', () => {
  const { storage } = fakeStorage();
  const deviceToken = createDeviceTokenSource(() => storage);
  const token = deviceToken();
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  expect(deviceToken()).toBe(token);
  expect(createDeviceTokenSource(() => storage)()).toBe(token);
});

test('keeps the token in memory when storage is forbidden', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const deviceToken = createDeviceTokenSource(() => {
    throw new Error('Storage is blocked.');
  });
  expect(deviceToken()).toBe(deviceToken());
  expect(warn).toHaveBeenCalledOnce();
});
