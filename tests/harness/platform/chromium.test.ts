import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { findChromium } from './chromium.ts';

test.runIf(process.arch === 'x64')(
  'uses the Chromium of the lock file by default, even when another is installed',
  async () => {
    vi.stubEnv('CHROMIUM_PATH', undefined);
    const { executablePath } = await findChromium();
    expect(executablePath).toContain(fileURLToPath(new URL('../../../node_modules/', import.meta.url)));
  },
);

test('uses another Chromium only when CHROMIUM_PATH names it', async () => {
  vi.stubEnv('CHROMIUM_PATH', process.execPath);
  expect(await findChromium()).toMatchObject({ executablePath: process.execPath });
  vi.stubEnv('CHROMIUM_PATH', '/no/such/chromium');
  await expect(findChromium()).rejects.toThrow('CHROMIUM_PATH names no file: /no/such/chromium');
});
