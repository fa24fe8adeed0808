import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { halves, KEY, problemOf, startHost } from './testing/photo-samples.ts';

test('refuses uploads over the limit with a retry time, and accepts them once a slot is free', async () => {
  const opened = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  await using host = await startHost({ uploadSlots: { total: 1, perUploader: 1 } }, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      started.resolve();
      await opened.promise;
      await storage.put(key, bytes, type);
    },
  }));
  const first = host.uploadAccepted(await halves(400, 300).jpeg().toBuffer());
  await started.promise;
  const second = await halves(400, 300).jpeg().toBuffer();
  const refused = await host.upload(second, 'b.jpg', 'image/jpeg', 'seller-two');
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await problemOf(refused)).toMatchObject({ status: 503, code: 'busy' });
  opened.resolve();
  await first;
  await host.uploadAccepted(second);
});

test('frees the slot of an upload whose connection was closed', async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
  const left = Promise.withResolvers<void>();
  await using host = await startHost({ uploadSlots: { total: 1, perUploader: 1 } });
  host.app.server.prependListener('request', (message) => {
    message.once('close', () => left.resolve());
  });
  const sending = httpRequest(`${host.base}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: 'Bearer seller', 'content-type': 'multipart/form-data; boundary=b' },
  });
  const failed = new Promise((resolve) => sending.once('error', resolve));
  const received = Promise.withResolvers<void>();
  host.app.server.once('request', (message) => message.once('data', () => received.resolve()));
  Readable.from([head, Buffer.alloc(100_000)]).pipe(sending, { end: false });
  await received.promise;
  const meanwhile = await host.upload(await halves(400, 300).jpeg().toBuffer());
  expect(meanwhile.status).toBe(429);
  sending.destroy();
  await failed;
  await left.promise;
  await expect
    .poll(async () => (await host.upload(await halves(400, 300).jpeg().toBuffer())).status)
    .toBe(200);
});
