import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import { expect, test } from 'vitest';
import { takeInHand } from './card-processor.ts';

test('a plan of faults that the stand-in refuses stops its test, which would go on in fair weather', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'coomercio-cards-'));
  const keys = { secretKey: 'sk_test_hand', publishableKey: 'pk_test_hand', webhookSecret: 'whsec_hand' };
  const cards = await startCardSandbox({ port: 0, dataFolder, ...keys, webhookUrl: 'http://127.0.0.1:9/' });
  try {
    const { faults } = takeInHand(cards.origin, keys.secretKey);
    await expect(faults({ calls: [{ kind: 'error', times: 0 }] })).rejects.toThrow('faults: 4');
  } finally {
    await cards.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
});
