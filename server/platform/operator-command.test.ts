import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { operatorPath } from './operator-command.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a relative path starts at the folder where the command was typed', () => {
  expect(operatorPath('shop.yaml')).toBe(resolve('shop.yaml'));
  vi.stubEnv('SHOP_CALLER_FOLDER', '/srv/shop');
  expect(operatorPath('shop.yaml')).toBe('/srv/shop/shop.yaml');
  expect(operatorPath('../today.tar')).toBe('/srv/today.tar');
  expect(operatorPath('/mnt/today.tar')).toBe('/mnt/today.tar');
});
