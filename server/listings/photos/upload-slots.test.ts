import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { codecProcesses } from './testing/hostile-samples.ts';
import { halves, KEY, problemOf, type RunningHost, startHost } from './testing/photo-samples.ts';

const photo = () => halves(400, 300).jpeg().toBuffer();
const uploadAs = async (host: RunningHost, seller: string) =>
  host.upload(await photo(), 'a.jpg', 'image/jpeg', seller);

/** Starts an upload that is not finished, and waits until the host receives it. @returns closes its connection */
async function startUpload(host: RunningHost, seller: string): Promise<() => Promise<void>> {
  const received = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  host.app.server.once('request', (message) => {
    message.once('data', received.resolve);
    message.once('close', closed.resolve);
  });
  const sending = httpRequest(`${host.base}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const failed = once(sending, 'error');
  sending.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
  sending.write(Buffer.alloc(100_000));
  await received.promise;
  return async () => {
    sending.destroy(new Error('closed by the test'));
    await failed;
    await closed.promise;
  };
}

test('refuses an upload while as many are received as may be, and frees the slots of a closed connection', async () => {
  await using host = await startHost({ uploadSlots: { total: 1, perUploader: 1 } });
  const close = await startUpload(host, 'seller');
  const refused = await uploadAs(host, 'seller-two');
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await problemOf(refused)).toMatchObject({ status: 503, code: 'busy' });
  expect((await uploadAs(host, 'seller')).status).toBe(429);
  await close();
  await expect.poll(async () => (await uploadAs(host, 'seller')).status).toBe(200);
});

test('an upload that is received completely has only the slot of its uploader', async () => {
  const opened = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let puts = 0;
  await using host = await startHost(
    { uploadSlots: { total: 1, perAddress: 1, perUploader: 1 } },
    (storage) => ({
      ...storage,
      put: async (key, bytes, type) => {
        puts += 1;
        if (puts === 1) {
          started.resolve();
          await opened.promise;
        }
        await storage.put(key, bytes, type);
      },
    }),
  );
  const first = uploadAs(host, 'seller');
  await started.promise;
  expect((await uploadAs(host, 'seller')).status).toBe(429);
  expect((await uploadAs(host, 'seller-two')).status).toBe(200);
  opened.resolve();
  expect((await first).status).toBe(200);
});

test('refuses an upload when as many of its address wait to be decoded as may', async () => {
  await using host = await startHost({ decodingRoom: { maximumOfOwner: 1 } });
  expect((await uploadAs(host, 'seller')).status).toBe(200);
  const [decoder] = codecProcesses();
  if (decoder === undefined) throw new Error('No process decodes photos');
  process.kill(decoder, 'SIGSTOP');
  const answers = ['seller-one', 'seller-two', 'seller-three'].map((seller) => uploadAs(host, seller));
  // One is being decoded and one waits, whichever of them arrive first.
  expect(await problemOf((await Promise.race(answers)).clone())).toMatchObject({ status: 503, code: 'busy' });
  process.kill(decoder, 'SIGCONT');
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 503]);
});
