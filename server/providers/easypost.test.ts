import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import * as z from 'zod/mini';
import { Sender } from '#contract/sales/labels.ts';
import { testCarriers } from '#tests/harness/ports/carriers.ts';
import { sampleSender, startTestCarriers, type TestCarriers } from '#tests/harness/sales/carriers.ts';
import { sampleAddress } from '#tests/harness/sales/sold-laptop.ts';

let folder: string;
let fake: TestCarriers;
/** The latest event. */
let received = { body: new Uint8Array(), signature: '' };
const shop = createServer(async (request, response) => {
  const body = new Uint8Array(await buffer(request));
  received = { body, signature: String(request.headers['x-hmac-signature']) };
  response.end();
});

beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object(shop.address());
  folder = await mkdtemp(join(tmpdir(), 'easypost-'));
  fake = await startTestCarriers({ origin: `http://127.0.0.1:${port}`, folder });
});
afterAll(async () => {
  await fake.close();
  shop.close();
  await rm(folder, { recursive: true });
});

testCarriers(() => ({
  carriers: fake.carriers,
  from: z.parse(Sender, sampleSender),
  to: z.parse(Sender, { ...sampleAddress, phone: '+1 415 555 0101' }),
  fail: fake.fail,
  scan: async (shipmentId) => {
    await fake.report(shipmentId, 'in_transit');
    return received;
  },
}));
