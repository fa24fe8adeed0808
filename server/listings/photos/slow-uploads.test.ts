import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { halves, KEY, type RunningHost, startHost } from './testing/photo-samples.ts';

const photo = () => halves(400, 300).jpeg().toBuffer();

const ATTACKER = '127.0.0.2';

/**
 * Starts an upload that sends one byte every 50 ms until the host closes the connection.
 * @param address of the client
 * @returns the response
 */
function uploadSlowly(host: RunningHost, seller: string, address: string): Promise<IncomingMessage> {
  const sending: ClientRequest = httpRequest(`${host.base}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller}`, 'content-type': 'multipart/form-data; boundary=b' },
    localAddress: address,
  });
  sending.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n\xff');
  const timer = setInterval(() => sending.write('x'), 50);
  sending.once('close', () => clearInterval(timer));
  const answer = once(sending, 'response').then(([message]: IncomingMessage[]) => {
    if (message === undefined) throw new Error('No answer');
    return message;
  });
  // The host closes the connection while bytes are being sent.
  sending.on('error', () => undefined);
  return answer;
}

test('32 slow uploads of 16 accounts use the four slots of their address, are aborted, and delay nobody else', async () => {
  await using host = await startHost({ minimumRate: { bytesPerSecond: 1_000, graceMs: 3_000 } });
  const answering = Array.from({ length: 32 }, (_, at) =>
    uploadSlowly(host, `seller-${Math.floor(at / 2)}`, ATTACKER),
  );
  let refusals = 0;
  for (const answer of answering)
    void answer.then(({ statusCode }) => (refusals += Number(statusCode === 429)));
  await expect.poll(() => refusals).toBe(28);

  // Four of them are still in progress.
  const other = await host.upload(await photo(), 'a.jpg', 'image/jpeg', 'seller-other');
  expect(other.status).toBe(200);

  const answers = await Promise.all(answering);
  const slow = answers.filter(({ statusCode }) => statusCode === 400);
  expect(slow).toHaveLength(4);
  for (const answer of slow) {
    expect(answer.headers.connection).toBe('close');
    expect(await json(answer)).toMatchObject({
      success: false,
      code: 'upload_too_slow',
      detail: 'The photo arrived too slowly and was not kept. Please try again with a better connection.',
    });
  }
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused && (await json(refused))).toMatchObject({ success: false, code: 'too_many_requests' });

  expect((await host.upload(await photo(), 'a.jpg', 'image/jpeg', 'seller-0')).status).toBe(200);
  await expect.poll(() => readdir(`${host.folder}-uploads`)).toEqual([]);
});

test('aborts an upload that is slow before the photo part, when no file is open yet', async () => {
  await using host = await startHost({ minimumRate: { bytesPerSecond: 1_000, graceMs: 1_000 } });
  const sending = httpRequest(`${host.base}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: 'Bearer seller', 'content-type': 'multipart/form-data; boundary=b' },
  });
  sending.write('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n');
  const [answer] = await once(sending, 'response');
  expect(answer.statusCode).toBe(400);
  sending.on('error', () => undefined);
  await once(answer.resume(), 'end');
  expect((await host.upload(await photo())).status).toBe(200);
});

test('leaves no spooled file after stored, refused and aborted uploads', async () => {
  await using host = await startHost();
  await host.uploadAccepted(await photo());
  await host.uploadRefused(Buffer.from('no photo'));
  await host.uploadRefused((await photo()).subarray(0, 300));
  const head = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
  const broken = await fetch(`${host.base}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: 'Bearer seller', 'content-type': 'multipart/form-data; boundary=b' },
    body: `${head}x`,
  });
  expect(broken.status).toBe(400);
  await expect.poll(() => readdir(`${host.folder}-uploads`)).toEqual([]);
});
