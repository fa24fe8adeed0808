import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import { expect, test } from 'vitest';
import { controlCardProcessor } from './card-processor.ts';

test('rejects a fault plan that the stand-in refuses, so that a test does not run without its faults', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'coomercio-cards-'));
  const keys = { secretKey: 'sk_test_hand', publishableKey: 'pk_test_hand', webhookSecret: 'whsec_hand' };
  const cards = await startCardSandbox({ port: 0, dataFolder, ...keys, webhookUrl: 'http://127.0.0.1:9/' });
  try {
    const { setFaults } = controlCardProcessor(cards.origin, keys.secretKey);
    await expect(setFaults({ calls: [{ kind: 'error', times: 0 }] })).rejects.toThrow('faults: 4');
  } finally {
    await cards.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
});
