import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { openFolder } from './folder-place.ts';
import { readBackupState } from './store.ts';

let folder: string;
let shop: TestShop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-periodic-'));
  shop = await startTestShop({
    dependencies: async () => ({
      periodicBackups: {
        schedule: {
          everyMs: 3_600_000,
          keep: { days: 1, weeks: 0, months: 0 },
          verifyUrl: null,
          place: openFolder(folder),
        },
        source: { photos: null, secretFile: null, secretFingerprint: 'the same' },
        checkIntervalMs: 50,
      },
    }),
  });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const state = () => readBackupState(shop.connection.database);

test('a shop makes and verifies a backup', async () => {
  const t = Date.now();
  await expect.poll(async () => (await state()).last?.name).toBeDefined();
  console.log('made', Date.now() - t, await state());
  await expect.poll(async () => (await state()).verification, { timeout: 20000 }).not.toBeNull();
  console.log('verified', Date.now() - t, await state());
  console.log(await readdir(folder));
});
